import type { Statement } from './prepared-client.ts';

/*
 * Combines several statements into one. Each statement costs a packet, a wake-up of the server process, and a start and
 * an end of the executor. All of them take the same $1, and none sees the writes of the others.
 */

type Statements = readonly [Statement, ...Statement[]];

/** Combines writes that have no `with` of their own. The last statement may be a `select`. */
export function combineWrites(statements: Statements): Statement {
  return { text: writesText(statements), values: valuesOfAll(statements) };
}

/**
 * Combines writes that run only if `condition` returns a row: its columns `id`, which the writes get as $1, and `now`.
 * Without a row, $1 is null, and each write must then do nothing. The result is `now`, or null if nothing was written.
 */
export function combineIf(condition: Statement, writes: Statements): Statement {
  const statements = [condition, ...writes] as const;
  return { text: conditionalText(statements), values: valuesOfAll(statements) };
}

/** Combines queries. The result is a single row that contains all rows as JSON; `splitCombinedRead` splits it. */
export function combineReads(statements: Statements): Statement {
  return { text: readsText(statements), values: valuesOfAll(statements) };
}

/** Returns the rows of each query. */
export function splitCombinedRead([row = {}]: readonly object[]): object[][] {
  return Object.values(row) as object[][];
}

const writesText = cachedText((texts) => {
  const lastText = texts.at(-1) as string;
  const subqueries = texts.slice(0, -1).map((text, index) => `part${index} as (${text})`);
  return subqueries.length === 0 ? lastText : `with ${subqueries.join(',\n')}\n${lastText}`;
});

const conditionalText = cachedText(([condition = '', ...writes]) => {
  const conditionalWrites = writes.map((text) => text.replace(ORGANIZATION, '(select id from condition)'));
  const parts = conditionalWrites.map((text, index) => `part${index} as (${text})`);
  // PostgreSQL runs a query of a `with` only as far as something reads it.
  const queries = conditionalWrites.flatMap((text, index) =>
    QUERY.test(text) ? `(select count(*) from part${index})` : [],
  );
  const columns = ['(select now from condition) as now', ...queries];
  return `with condition as (${condition}),\n${parts.join(',\n')}\nselect ${columns.join(', ')}`;
});

const ORGANIZATION = /\$1(?!\d)/g;
const QUERY = /^\s*select\b/;

const readsText = cachedText((texts) => {
  const parts = texts.map(
    (text, index) => `(select coalesce(json_agg(record), '[]') from (${text}) record) as part${index}`,
  );
  return `select ${parts.join(',\n')}`;
});

const valuesOfAll = (statements: Statements): unknown[] => [
  statements[0].values[0],
  ...statements.flatMap(({ values }) => values.slice(1)),
];

/** The number of combinations whose text is cached. There are a few dozen, unless a caller varies a text. */
const CACHED_MAX = 500;

/** The combinations that begin with the same texts. */
interface Combinations {
  readonly longer: Map<string, Combinations>;
  text: string | null;
}

/** Returns the function that combines texts with new numbers of their parameters. It does so once per combination. */
function cachedText(combine: (texts: readonly string[]) => string): (statements: Statements) => string {
  const root: Combinations = { longer: new Map(), text: null };
  let count = 0;
  const find = (statements: Statements): Combinations | null => {
    let combinations = root;
    for (const { text } of statements) {
      let longerStatement = combinations.longer.get(text);
      if (!longerStatement) {
        if (count === CACHED_MAX) return null;
        count += 1;
        longerStatement = { longer: new Map(), text: null };
        combinations.longer.set(text, longerStatement);
      }
      combinations = longerStatement;
    }
    return combinations;
  };
  return (statements) => {
    const cachedStatement = find(statements);
    if (!cachedStatement) return combine(numbered(statements));
    cachedStatement.text ??= combine(numbered(statements));
    return cachedStatement.text;
  };
}

const PARAMETER = /\$(\d+)/g;

/** Returns the texts with the numbers that their parameters have in the combined statement. */
function numbered(statements: Statements): readonly string[] {
  let before = 0;
  return statements.map(({ text, values }) => {
    const offset = before;
    before += values.length - 1;
    return text.replace(PARAMETER, (_, number: string) => (number === '1' ? '$1' : `$${Number(number) + offset}`));
  });
}
