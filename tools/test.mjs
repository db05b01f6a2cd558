// npm test: builds, checks and tests everything, from a fresh clone. npm run check: only the checks (build, types,
// lint, boundaries). npm test -- <arguments of jest>: only the selected tests. `--times` lists the slowest files. The last
// line is always `N passed, N failed, N skipped`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onEnd } from '../libs/processes/src/lifetime.mjs';
import { ensure, root } from './ensure.mjs';
import { describeTimes } from './jest/times.mjs';

await ensure();
const { buildAll } = await import('./build-apps.mjs');
const { ensureDocuments } = await import('./console/documents.mjs');

const staticOnly = process.argv.includes('--static');
const listsTimes = process.argv.includes('--times');
const jestArguments = process.argv.slice(2).filter((argument) => !['--static', '--times'].includes(argument));
/** If more files fail, a busy machine is not the cause. */
const RETRIED_FILES_MAX = 5;
const total = { passed: 0, failed: 0, skipped: 0 };

const isEverything = jestArguments.length === 0;
// Types, boundaries and specs of the console read the generated modules.
await ensureDocuments().catch(({ message }) => {
  total.failed++;
  console.log(`✗ documents\n${message}`);
});
if (isEverything) await check('build', buildAll);
// in parallel: each of them leaves a processor idle now and then
await Promise.all([isEverything && staticChecks(), !staticOnly && tests()]);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

function staticChecks() {
  return Promise.all([
    types(),
    lintAndBoundaries(),
    check('language', () => bin('../tools/english/check.ts', [])),
    check('function length', () => bin('../tools/function-length.ts', [])),
    check('decisions by stored roles', () => bin('../tools/stored-roles.ts', [])),
    check('decoders of text', () => bin('../tools/text-decoding.ts', [])),
    check('sentences of errors', () => bin('../tools/error-sentences.ts', [])),
  ]);
}

/**
 * All projects as one program, so that shared files are read and checked once. `nx typecheck core` checks one project
 * alone.
 */
function types() {
  const info = path.join(root, 'node_modules', '.cache', 'strata', 'types.tsbuildinfo');
  const incremental = ['--incremental', '--tsBuildInfoFile', info];
  return check('types', async () => {
    await bin('typescript-7/bin/tsc', ['-p', 'tools/tsconfig.everything.json', ...incremental]);
    // The console runs in browsers, so its globals differ from those of the other projects.
    await bin('typescript-7/bin/tsc', ['-p', 'apps/console/tsconfig.json']);
  });
}

async function lintAndBoundaries() {
  await check('lint', () => bin('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']));
  await check('boundaries', () =>
    bin('dependency-cruiser/bin/dependency-cruise.mjs', [
      '--config',
      '.dependency-cruiser.mjs',
      'apps',
      'libs',
      'integrations',
      'tools',
    ]),
  );
}

/** One check counts as one test. Its output is shown only if it fails. */
async function check(name, run) {
  const started = Date.now();
  const failure = await run().then(
    () => undefined,
    (error) => error.message,
  );
  total[failure === undefined ? 'passed' : 'failed']++;
  console.log(`${failure === undefined ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (failure !== undefined) console.log(failure);
}

/**
 * Runs the tests. If a few files fail in a run of everything, they are run once more, one after another: see
 * docs/contributing.md.
 */
async function tests() {
  const first = await jest(jestArguments);
  if (listsTimes) console.log(describeTimes(root, first.files));
  const failed = first.files.filter(({ status }) => status === 'failed');
  const isAskedAgain = isEverything && failed.length > 0 && failed.length <= RETRIED_FILES_MAX;
  if (!isAskedAgain) return count(first);
  const names = failed.map(({ name }) => path.relative(root, name));
  console.log(`Once more, one after another: ${names.join(', ')}`);
  const second = await jest(['--runInBand', '--runTestsByPath', ...names]);
  for (const title of passedAtLast(failed, second)) console.log(`Passed only the second time: ${title}`);
  const others = first.files.filter(({ status }) => status !== 'failed');
  count({ ...second, files: [...others, ...second.files] });
}

/**
 * Adds a run to the totals. A run that failed without a failed test (a broken set-up, a killed worker) counts as a
 * failed test.
 */
function count({ code, files }) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const number = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const withoutTests = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
  );
  const failed = number('failed') + withoutTests.length;
  total.passed += number('passed');
  total.failed += code !== 0 && failed === 0 ? 1 : failed;
  total.skipped += number('pending', 'todo', 'skipped', 'disabled');
}

/** A function declaration, because the tests run before the end of this file is evaluated. */
function isFailed({ status }) {
  return status === 'failed';
}

function passedAtLast(failed, { files }) {
  const passed = new Set(
    files
      .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'passed'))
      .map(({ fullName }) => fullName),
  );
  return failed
    .flatMap(({ assertionResults }) => assertionResults.filter(isFailed).map(({ fullName }) => fullName))
    .filter((title) => passed.has(title));
}

/** Runs jest. Returns its exit code and the result of each file. */
async function jest(more) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'strata-report-')), 'jest.json');
  try {
    const args = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      path.join(root, 'node_modules/jest/bin/jest.js'),
    ];
    const child = spawn(process.execPath, [...args, '--json', `--outputFile=${report}`, ...more], {
      cwd: root,
      // jest writes its JSON result to the file and its readable output to standard error.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onEnd((signal) => child.kill(signal));
    const code = await whenEnded(child);
    const files = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')).testResults : [];
    return { code, files };
  } finally {
    fs.rmSync(path.dirname(report), { recursive: true, force: true });
  }
}

/** Runs the program of a package and rejects with its output. */
async function bin(program, args) {
  const child = spawn(process.execPath, [path.join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onEnd((signal) => child.kill(signal));
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  if ((await whenEnded(child)) !== 0) throw new Error(Buffer.concat(output).toString().trim());
}

function whenEnded(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ? 1 : code));
  });
}
