import { type CoveredScript, countCalls, onlyOfWrites } from './function-calls.mjs';

const script = (url: string, functions: Readonly<Record<string, number>>): CoveredScript => ({
  url,
  functions: Object.entries(functions).map(([functionName, count], at) => ({
    functionName,
    ranges: [{ startOffset: 10 * at, count }],
  })),
});
const ours = (url: string, offset: number) => (url.startsWith('ours/') ? { file: url, line: offset } : null);
const calls = (functions: Readonly<Record<string, number>>) =>
  countCalls([script('ours/a.ts', { '': 1, ...functions })], ours);

test('ignores foreign functions, functions that did not run, and the top level of a module', () => {
  const scripts = [script('ours/a.ts', { '': 1, ran: 3, idle: 0 }), script('node:net', { '': 1, connect: 5 })];
  expect([...countCalls(scripts, ours).values()]).toEqual([{ file: 'ours/a.ts', line: 10, name: 'ran', calls: 3 }]);
});

test.each`
  why                                           | writes                  | idles                   | left
  ${'runs with every write'}                    | ${[{ f: 2 }, { f: 2 }]} | ${[{ f: 0 }]}           | ${2}
  ${'runs by itself, too'}                      | ${[{ f: 3 }, { f: 3 }]} | ${[{ f: 1 }, { f: 0 }]} | ${2}
  ${'runs only by itself'}                      | ${[{ f: 1 }, { f: 1 }]} | ${[{ f: 0 }, { f: 1 }]} | ${0}
  ${'ran with one write by chance'}             | ${[{ f: 1 }, { f: 0 }]} | ${[{ f: 0 }]}           | ${0}
  ${'runs more often with one write by chance'} | ${[{ f: 4 }, { f: 1 }]} | ${[{ f: 0 }]}           | ${1}
`('attributes $left calls of a function that $why to the write', ({ writes, idles, left }) => {
  const attributed = onlyOfWrites(writes.map(calls), idles.map(calls));
  expect(attributed.flatMap(({ functions }) => functions.map((call) => call.calls))).toEqual(left === 0 ? [] : [left]);
});

test('sorts files by name and functions by their position', () => {
  const scripts = [script('ours/b.ts', { '': 0, last: 1, later: 1 }), script('ours/a.ts', { '': 0, only: 1 })];
  const attributed = onlyOfWrites([countCalls(scripts, ours)], []);
  expect(attributed.map(({ file, functions }) => [file, ...functions.map(({ name }) => name)])).toEqual([
    ['ours/a.ts', 'only'],
    ['ours/b.ts', 'last', 'later'],
  ]);
});
