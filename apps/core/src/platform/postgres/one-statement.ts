import type { Statement } from './prepared-client.ts';

/*
 * Several statements for the price of one: each costs a packet, a look of another process at its socket, and a start and an end
 * of the executor. All take the same $1, and none sees what the others write.
 */

/** Writes without a `with` of their own, and perhaps a `select` as the last one. */
export function asOneWrite(statements: readonly [Statement, ...Statement[]]): Statement {
  const { texts, values } = numbered(statements);
  const last = texts.pop() as string;
  const parts = texts.map((text, index) => `part${index} as (${text})`);
  return { text: parts.length === 0 ? last : `with ${parts.join(',\n')}\n${last}`, values };
}

/** Queries; the answer has one row, which `rowsOfRead` takes apart. Rows travel as JSON. */
export function asOneRead(statements: readonly [Statement, ...Statement[]]): Statement {
  const { texts, values } = numbered(statements);
  const parts = texts.map((text, index) => `(select coalesce(json_agg(r), '[]') from (${text}) r) as part${index}`);
  return { text: `select ${parts.join(',\n')}`, values };
}

/** The rows of each of the queries. */
export function rowsOfRead([row = {}]: readonly object[]): object[][] {
  return Object.values(row) as object[][];
}

const PARAMETER = /\$(\d+)/g;

/** Their texts with parameters that are counted through. */
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
