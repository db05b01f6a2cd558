// npm run mutants: plants one bug after another and expects the specs that guard the promise to fail. Works on a copy
// of the sources, so that no planted bug can remain. Each bug takes half a minute, so this is not part of npm test. With
// `--batch 10`, ten bugs in different files, with different specs, share one build and one run. Bugs whose specs pass, or
// fail completely, are then planted alone. A bug may also fail the specs of another, so only single runs are proof.
// A tool that changes every expression could replace only the rows that specs of libs/domain guard alone, which are few:
// most promises are about requests, several processes or PostgreSQL.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, root } from '../ensure.mjs';
import { scratchCopy } from '../scratch-copy.mjs';
import { MUTANTS } from './table.mjs';

/** The specs that must pass in spite of a planted bug, by the app that contains the bug. */
const CONTROLS = { 'apps/core': 'platform/http/precondition', 'apps/gateway': 'gateway/src/gateway.http' };

/** The time limit for the specs of one bug. The specs must fail, not hang. */
const RUN_MS_MAX = 600_000;
/** The time limit for each test beside a planted bug. Tests may wait for what the bug prevents. */
const TEST_MS_MAX = 180_000;
/** The same limit in a batch, whose other tests would wait, too. */
const TEST_MS_MAX_IN_BATCH = 45_000;
/** The time in which stopped specs remove what they have started. */
const GRACE_MS = 20_000;
/** The time limit for all specs together on a machine that is busy with other work. */
const GREEN_MS_MAX = 3_600_000;

const HELP = `Usage: npm run mutants -- [<part of a promise or of a file> …] [--list] [--batch <number of bugs>]

  Without arguments, plants all of them. The last line is \`N caught, N survived, N no longer apply\`; anything but caught fails.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, batch: { type: 'string', default: '1' }, help: { type: 'boolean' } },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const chosen = MUTANTS.filter(
  ({ promise, file }) =>
    positionals.length === 0 || positionals.some((part) => promise.includes(part) || file.includes(part)),
);
if (options.list) {
  for (const { promise, file, specs } of chosen) console.log(`${promise}\n  ${file}  guarded by ${specs.join(', ')}`);
  process.exit(0);
}
await ensure();
const { buildApps } = await import('../build-apps.mjs');
await buildApps(['core', 'gateway'], console.log);

const copy = scratchCopy(root);
let running;
onEnd((signal) => {
  running?.kill(signal);
  fs.rmSync(copy, { recursive: true, force: true });
  process.exit(1);
});
const count = { caught: 0, survived: 0, stale: 0 };
try {
  await buildCopy();
  await assertGreen();
  for (const batch of toBatches(chosen, Number(options.batch))) {
    const alone = batch.length === 1 ? batch : await plantTogether(batch);
    for (const mutant of alone) count[await plant(mutant)] += 1;
  }
} finally {
  fs.rmSync(copy, { recursive: true, force: true });
}
console.log(`${count.caught} caught, ${count.survived} survived, ${count.stale} no longer apply`);
process.exit(count.survived + count.stale === 0 ? 0 : 1);

/** Specs load built libraries. Each run of specs builds again what a planted bug has changed. */
async function buildCopy() {
  const code = "const { buildAll } = await import('./tools/build-apps.mjs'); await buildAll();";
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: copy, stdio: 'inherit' });
  running = child;
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  if (exitCode !== 0) throw new Error('The copy of the sources cannot be built.');
}

/** A spec that fails without the bug does not detect it. */
async function assertGreen() {
  const specs = [...new Set(chosen.flatMap((mutant) => mutant.specs))];
  console.log(`Running ${specs.length} specs on the sources as they are …`);
  const { failed, files } = await run(specs, GREEN_MS_MAX);
  if (failed === 0) return;
  // A busy machine fails some specs once.
  const failedFiles = files.filter((file) => file.failed > 0).map(({ name }) => name);
  const secondRun = await run(failedFiles);
  if (failedFiles.length > 0 && secondRun.failed === 0) return;
  console.log(secondRun.output);
  throw new Error('These specs fail without any planted bug.');
}

/** Returns batches of bugs in different files, with different spec files. */
function toBatches(mutants, size) {
  const specFiles = spawnSync('git', ['ls-files', '*spec.ts'], { cwd: root, encoding: 'utf8' }).stdout.split('\n');
  const batches = [];
  for (const mutant of mutants) {
    const files = [mutant.file, ...specFiles.filter((name) => mutant.specs.some((spec) => name.includes(spec)))];
    const batch = batches.find(({ members, used }) => members.length < size && files.every((name) => !used.has(name)));
    if (batch) {
      batch.members.push(mutant);
      for (const name of files) batch.used.add(name);
    } else batches.push({ members: [mutant], used: new Set(files) });
  }
  return batches.map(({ members }) => members);
}

/** Plants several bugs at once. Returns those that have to be planted alone. */
async function plantTogether(mutants) {
  const [started, restores] = [Date.now(), mutants.map(replaceText)];
  const { files } = await run([...mutants.flatMap(({ specs }) => specs), `--testTimeout=${TEST_MS_MAX_IN_BATCH}`]);
  for (const restore of restores) restore?.();
  const isCaught = ({ specs }) => {
    const results = files.filter(({ name }) => specs.some((spec) => name.includes(spec)));
    return results.some(({ failed, passed }) => failed > 0 && passed > 0);
  };
  const caught = mutants.filter((mutant, index) => restores[index] && isCaught(mutant));
  for (const { promise } of caught) console.log(`✓ ${promise}`);
  count.caught += caught.length;
  console.log(`  ${caught.length} of ${mutants.length} in ${Math.round((Date.now() - started) / 1_000)} s`);
  return mutants.filter((mutant) => !caught.includes(mutant));
}

/** Plants a bug. Returns a function that removes it; null if the source does not contain the text exactly once. */
function replaceText({ file, find, replace }) {
  const target = path.join(copy, file);
  const source = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : '';
  if (source.split(find).length !== 2) return null;
  fs.writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  return () => fs.writeFileSync(target, source);
}

async function plant(mutant) {
  const { promise, file, specs } = mutant;
  const restore = replaceText(mutant);
  if (restore === null) {
    console.log(`? ${promise}\n  ${file} does not have the text to be replaced exactly once`);
    return 'stale';
  }
  const started = Date.now();
  const { failed, passed, output } = await run([...specs, `--testTimeout=${TEST_MS_MAX}`]);
  const isBroken = output.includes('Test suite failed to run');
  const hasRun = !isBroken && (passed > 0 || (await stillRuns(file)));
  restore();
  const seconds = Math.round((Date.now() - started) / 1_000);
  if (failed > 0 && hasRun) {
    console.log(`✓ ${promise} (${failed} failed, ${seconds} s)`);
    return 'caught';
  }
  console.log(`✗ ${promise}\n  ${file}: ${hasRun ? 'every spec passed' : `nothing could run:\n${output}`}`);
  return 'survived';
}

/**
 * Returns whether the service can still be built and started if every test failed. If it cannot, the failures do not
 * prove that the specs detect the bug.
 */
async function stillRuns(file) {
  const control = CONTROLS[file.split('/').slice(0, 2).join('/')] ?? CONTROLS['apps/core'];
  return (await run([control])).passed > 0;
}

/** Runs specs in the copy. `files` contains the numbers of tests by spec file. */
async function run(specs, msMax = RUN_MS_MAX) {
  const args = ['tools/test.mjs', '--verbose', ...specs];
  // In a group of its own: jest does not end while one of its processes hangs.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running = child;
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => parts.push(data));
  let killTimer;
  const timer = setTimeout(() => {
    parts.push(Buffer.from(`\nThe specs were stopped: they took longer than ${msMax / 60_000} minutes.\n`));
    child.kill('SIGTERM');
    killTimer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), GRACE_MS);
  }, msMax);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  clearTimeout(killTimer);
  const output = Buffer.concat(parts).toString();
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed, \d+ skipped\s*$/.exec(output) ?? [];
  return { failed: Number(failed), passed: Number(passed), files: countByFile(output), output };
}

/** Reads jest's verbose output: a line with PASS or FAIL and the file, then a line with a mark for each test. */
function countByFile(output) {
  const files = output.split(/^(?:PASS|FAIL) /m).slice(1);
  return files.map((part) => ({
    name: part.split(/\s/, 1)[0],
    passed: part.match(/^\s+✓ /gm)?.length ?? 0,
    failed: part.match(/^\s+✕ /gm)?.length ?? 0,
  }));
}
