// Describes where the time of a test run goes, for `npm test -- --times`: the slowest files, and sums by kind.
import path from 'node:path';

/** The kind of a file is the first one whose pattern its path matches. */
const KINDS = [
  ['console', /^apps\/e2e\/src\/console-/],
  ['command line', /^apps\/e2e\/src\/(cli|mcp)/],
  ['tools', /^tools\/.*\.e2e-spec\.ts$/],
  ['e2e', /\.e2e-spec\.ts$/],
  ['http', /\.http-spec\.ts$/],
  ['unit', /\.spec\.ts$/],
];
const SLOWEST = 40;

/** Returns a table for the results of jest, which contain start and end of each file in ms. */
export function describeTimes(root, results) {
  const files = results.map(({ name, startTime, endTime, assertionResults }) => {
    const file = path.relative(root, name).replaceAll(path.sep, '/');
    const kind = KINDS.find(([, pattern]) => pattern.test(file))?.[0] ?? 'other';
    return { file, kind, seconds: (endTime - startTime) / 1000, tests: assertionResults.length };
  });
  const kinds = Map.groupBy(files, ({ kind }) => kind);
  const sum = (list, member) => list.reduce((total, entry) => total + entry[member], 0);
  const row = (seconds, text) => `${seconds.toFixed(1).padStart(8)} s  ${text}`;
  const byKind = [...kinds]
    .map(([kind, list]) => ({ kind, list, seconds: sum(list, 'seconds') }))
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ kind, list, seconds }) => row(seconds, `${kind}: ${list.length} files, ${sum(list, 'tests')} tests`));
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return [
    ...[`Time of all workers, by kind (${sum(files, 'seconds').toFixed(0)} s):`, ...byKind],
    ...['The slowest files:', ...slowest.map(({ file, seconds, tests }) => row(seconds, `${file}, ${tests} tests`))],
  ].join('\n');
}
