import { describeNewViolations, namingDirectory } from './check.ts';
import { badNames } from './identifiers.ts';

const rulesIn = (content: string) => badNames('libs/a.tsx', content).map(({ rule }) => rule);

describe('the check of names', () => {
  it.each`
    declaration                  | content
    ${'a variable'}              | ${'const given = 1;'}
    ${'a parameter'}             | ${'const run = (known: string) => known;'}
    ${'a function'}              | ${'function present() {}'}
    ${'a function expression'}   | ${'run(function present() {});'}
    ${'a method'}                | ${'class A { one() {} }'}
    ${'a field of a class'}      | ${'class A { made = 1; }'}
    ${'a constructor property'}  | ${'class A { constructor(readonly own: B) {} }'}
    ${'a member of a type'}      | ${'interface A { readonly words: string }'}
    ${'a function of an object'} | ${'const a = { found: () => 1 };'}
    ${'a renamed element'}       | ${'const { id: other } = a;'}
    ${'an element of a list'}    | ${'const [found] = list;'}
    ${'a caught error'}          | ${'try { run(); } catch (told) {}'}
    ${'a part of a list'}        | ${'const some = list.slice(1);'}
    ${'what something is of'}    | ${'const run = (of: string) => of;'}
  `('rejects a placeholder as the name of $declaration', ({ content }) => {
    expect(rulesIn(content)).toEqual(['placeholder']);
  });

  it.each`
    exception                                | content
    ${'a name that contains a placeholder'}  | ${'const knownNames = []; const isPresent = true;'}
    ${'a member that is declared elsewhere'} | ${'const { found } = result; run({ found: 1 });'}
    ${'the name of an imported package'}     | ${"import { it } from 'node:test';"}
    ${'a field of the API or the database'}  | ${'class A { @Field() words!: string; }'}
    ${'a member of an object of GraphQL'}    | ${'interface A { __typename: string; words: string }'}
    ${'a member of parsed data'}             | ${'const { words } = body as { a?: { words: string }[] };'}
    ${'a member of a fetched body'}          | ${'get<{ words: string }>(path);'}
    ${'a member that completes a name'}      | ${'interface Copies { readonly of: string }'}
  `('accepts $exception', ({ content }) => {
    expect(rulesIn(content)).toEqual([]);
  });

  it.each`
    declaration                 | content
    ${'a variable'}             | ${'const stored = read();'}
    ${'a parameter'}            | ${'function run(missing: string) {}'}
    ${'a constructor property'} | ${'class A { constructor(private readonly committed: B) {} }'}
    ${'a renamed element'}      | ${'const { role: chosen } = a;'}
    ${'an element of a list'}   | ${'const [seen, setSeen] = useState(a);'}
  `('rejects a participle as the name of $declaration', ({ content }) => {
    expect(rulesIn(content)).toEqual(['participle']);
  });

  it.each`
    exception                              | content
    ${'a participle with a noun'}          | ${'const storedRow = read(); const isVisible = true;'}
    ${'a member that has the name'}        | ${'const { missing } = result; run({ missing: 1 });'}
    ${'a parameter of a type'}             | ${'type Check = (selected: string) => void;'}
    ${'an error that is called so'}        | ${'const unknownNameError = (): Failure => fail(); class LostError extends Failure {}'}
    ${'a function that converts an error'} | ${'function toFailure(thrownError: unknown): Failure { return a; }'}
    ${'a function that finds an error'}    | ${'const findProblem = (row: Row): Failure | null => null;'}
  `('accepts $exception as a name', ({ content }) => {
    expect(rulesIn(content)).toEqual([]);
  });

  it('accepts a participle in a spec', () => {
    expect(badNames('libs/a.spec.ts', 'const stored = read();')).toEqual([]);
  });

  it.each`
    declaration                | content
    ${'a function'}            | ${'function tooLarge(): CommandError { return a; }'}
    ${'an arrow function'}     | ${'const cursorGone = (): Failure => a;'}
    ${'a function that waits'} | ${'async function missingValue(): Promise<CommandError> { return a; }'}
    ${'a class'}               | ${'class PlanOutdated extends Failure {}'}
  `('rejects $declaration of errors whose name does not say so', ({ content }) => {
    expect(rulesIn(content)).toEqual(['error-factory']);
  });

  it.each`
    computation               | content
    ${'calls a function'}     | ${'const keyOf = (row: Row) => encode(row.id);'}
    ${'builds a text'}        | ${`function keyOf(row: Row) { return \`id-\${row.id}\`; }`}
    ${'compares'}             | ${'const stateOf = (row: Row) => row.a === row.b;'}
    ${'decides'}              | ${'const nameOf = (row: Row) => (row.a ? row.b : row.c);'}
    ${'creates an object'}    | ${'const pairOf = (row: Row) => ({ a: row.a });'}
    ${'has statements'}       | ${'function keyOf(row: Row) { log(row); return row.id; }'}
    ${'is a method'}          | ${'class A { keyOf(row: Row) { return this.encode(row); } }'}
    ${'is a field'}           | ${'class A { keyOf = (row: Row) => this.encode(row); }'}
    ${'belongs to an object'} | ${'run({ keyOf: (row: Row) => encode(row) });'}
  `('rejects a function called …Of that $computation', ({ content }) => {
    expect(rulesIn(content)).toEqual(['computing-of']);
  });

  it.each`
    exception                              | content
    ${'a function that reads a member'}    | ${'const idOf = (row: Row) => row.parent?.id ?? null;'}
    ${'a function that reads an element'}  | ${'function rowsOf(id: string) { return lists[id]! ?? []; }'}
    ${'a function that reads a map'}       | ${'const rowOf = (id: string) => rows.get(id) ?? NONE;'}
    ${'a function that searches a list'}   | ${'const rowOf = (id: string) => rows.find((row) => row.id === id);'}
    ${'a function that combines lookups'}  | ${'const nameOf = (id: string) => rowOf(id).name;'}
    ${'a predicate'}                       | ${'const isPartOf = (row: Row) => row.a === 1;'}
    ${'a variable that is not a function'} | ${'const typeOf = decode(row);'}
    ${'a type of a function'}              | ${'interface A { keyOf(row: Row): string }'}
  `('accepts $exception', ({ content }) => {
    expect(rulesIn(content)).toEqual([]);
  });

  it.each`
    declaration              | content
    ${'a variable'}          | ${'const refused = await send();'}
    ${'a part of a name'}    | ${'function collectRefusals() {}'}
    ${'a constant'}          | ${'const PLAN_REFUSED = 7;'}
    ${'a class'}             | ${'class RefusedWrite {}'}
    ${'an interface'}        | ${'interface Refusal { a: 1 }'}
    ${'a member of a class'} | ${'class A { refusals = []; }'}
  `('rejects the word refusal in the name of $declaration', ({ content }) => {
    expect(rulesIn(content)).toEqual(['refusal']);
  });

  it.each`
    exception                     | content
    ${'a member of the API'}      | ${'interface Plan { readonly refusals: readonly Step[] }'}
    ${'a column of the database'} | ${'interface Row { readonly refused_digest: string }'}
    ${'a key of the API'}         | ${'const KEYS = { refusals: () => 1 };'}
    ${'an error code'}            | ${"const CODES = { request_refused: ['rule'] };"}
  `('accepts $exception', ({ content }) => {
    expect(rulesIn(content)).toEqual([]);
  });

  it.each`
    place                   | content
    ${'a template'}         | ${'query(`select 1\nfrom project p where p.id = $1`);'}
    ${'a string'}           | ${"query('update project as p set name = $1');"}
    ${'an embedded text'}   | ${`query(\`select 1 from \${rows} r join \${table} on true\`);`}
    ${'a lateral subquery'} | ${'query(`select 1 from project cross join lateral (select 1) x`);'}
  `('rejects an SQL alias of one letter in $place', ({ content }) => {
    expect(new Set(rulesIn(content))).toEqual(new Set(['sql-alias']));
  });

  it.each`
    declaration               | content
    ${'a variable'}           | ${'const above = lineage(nodes, id);'}
    ${'a parameter'}          | ${'const run = (since: number) => since;'}
    ${'a function'}           | ${'function again() {}'}
    ${'an element of a list'} | ${'const [first, elsewhere] = list;'}
    ${'a renamed element'}    | ${'const { body: below } = response;'}
  `('rejects an adverb or a preposition as the name of $declaration', ({ content }) => {
    expect(rulesIn(content)).toEqual(['adverb']);
  });

  it.each`
    declaration            | content
    ${'a function'}        | ${'function effectWords(effect: Effect): string { return effect.name; }'}
    ${'an arrow function'} | ${'const effectWords = (effect: Effect) => effect.name;'}
    ${'a method'}          | ${'class A { effectWords() { return this.name; } }'}
  `('rejects $declaration that describes something and is called …Words', ({ content }) => {
    expect(rulesIn(content)).toEqual(['describing-words']);
  });

  it.each`
    declaration     | content
    ${'a variable'} | ${'const moment = readInstant();'}
    ${'a list'}     | ${'const moments = [];'}
    ${'a function'} | ${'function describeMoment() {}'}
    ${'a type'}     | ${'interface MomentOptions { a: 1 }'}
    ${'a member'}   | ${'interface A { readonly moment: string }'}
  `('rejects "moment" in the name of $declaration, since the term is "point in time"', ({ content }) => {
    expect(rulesIn(content)).toEqual(['term']);
  });

  it.each`
    exception                        | content
    ${'a member of a type'}          | ${'interface Explanation { readonly since: string }'}
    ${'a name with an adverb'}       | ${'const namesBelow = []; const isAbove = true;'}
    ${'a list of words'}             | ${'const reservedWords = [];'}
    ${'a function that finds words'} | ${'function findReservedWords() {}'}
    ${'an error code'}               | ${'const CODES = { two_moments: [] };'}
    ${'another word'}                | ${'const momentum = 1;'}
  `('accepts $exception', ({ content }) => {
    expect(rulesIn(content)).toEqual([]);
  });

  it('accepts whole words as SQL aliases, and other text', () => {
    expect(rulesIn('query(`select 1 from project parent join value using (id)`);')).toEqual([]);
    expect(rulesIn("print('Copied from project a.');")).toEqual([]);
    expect(rulesIn("expect(records).toEqual(['update Value x']);")).toEqual([]);
  });

  it('accepts SQL aliases of one letter in migrations, whose text is part of what a release has run', () => {
    const content = 'query(`select 1 from project p where p.id = $1`);';
    expect(badNames('apps/core/src/platform/postgres/migrations/0001-a.ts', content)).toEqual([]);
  });

  it('reports the line of a name', () => {
    expect(badNames('libs/a.ts', 'run();\n\nconst made = 1;')).toEqual([
      { rule: 'placeholder', name: 'made', line: 3 },
    ]);
  });

  it('counts the names of a project, a folder of tools or a feature of the core together', () => {
    const directories = [
      'libs/domain/src/a/b.ts',
      'tools/docs/a.mjs',
      'tools/a.mjs',
      'apps/core/src/features/a/b/c.ts',
    ];
    expect(directories.map(namingDirectory)).toEqual([
      'libs/domain',
      'tools/docs',
      'tools',
      'apps/core/src/features/a',
    ]);
  });

  it('allows no more violations than the backlog, and none in what it does not list', () => {
    const violations = new Map([
      ['libs/a', ['a.ts:1', 'a.ts:2']],
      ['libs/b', ['b.ts:1']],
    ]);
    expect(describeNewViolations(violations, { 'libs/a': 2, 'libs/b': 1 })).toEqual([]);
    expect(describeNewViolations(violations, { 'libs/a': 1, 'libs/b': 3 })).toEqual([
      expect.stringMatching(/^libs\/a: 2 /),
    ]);
    expect(describeNewViolations(violations, { 'libs/a': 2 })).toEqual([expect.stringMatching(/^libs\/b: 1 /)]);
  });
});
