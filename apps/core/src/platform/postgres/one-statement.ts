import type { Statement } from './prepared-client.ts';

/*
 * Combines several statements into one. Each statement costs a packet, a wake-up of the server process, and a start and
 * an end of the executor. All of them take the same $1, and none sees the writes of the others.
 */

/** Combines writes that have no `with` of their own. The last statement may be a `select`. */
export function combineWrites(statements: readonly [Statement, ...Statement[]]): Statement {
  const { texts, values } = numbered(statements);
  const last = texts.pop() as string;
  const parts = texts.map((text, index) => `part${index} as (${text})`);
  return { text: parts.length === 0 ? last : `with ${parts.join(',\n')}\n${last}`, values };
}

/** Combines queries. The result is a single row that contains all rows as JSON; `splitCombinedRead` splits it. */
export function combineReads(statements: readonly [Statement, ...Statement[]]): Statement {
  const { texts, values } = numbered(statements);
  const parts = texts.map((text, index) => `(select coalesce(json_agg(r), '[]') from (${text}) r) as part${index}`);
  return { text: `select ${parts.join(',\n')}`, values };
}

/** Returns the rows of each query. */
export function splitCombinedRead([row = {}]: readonly object[]): object[][] {
  return Object.values(row) as object[][];
}

const PARAMETER = /\$(\d+)/g;

/** Renumbers the parameters of the statements. */
function numbered(statements: readonly [Statement, ...Statement[]]) {
  const [
    {
      values: [first],
    },
  ] = statements;
  const values: unknown[] = [first];
  const texts = statements.map(({ text, values: [, ...more] }) => {
    const offset = values.length - 1;
    values.push(...more);
    return text.replace(PARAMETER, (_, number: string) => (number === '1' ? '$1' : `$${Number(number) + offset}`));
  });
  return { texts, values };
}
