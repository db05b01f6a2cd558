// npm run mutants: plants one bug after another and expects the specs that guard the promise to fail. Works on a copy
// of the sources, so that no planted bug can remain. Each bug takes half a minute, so this is not part of npm test.
// A tool that changes every expression could replace only the rows that specs of libs/domain guard alone, which are few:
// most promises are about requests, several processes or PostgreSQL.
import { spawn } from 'node:child_process';
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
/** The time limit for all specs together on a machine that is busy with other work. */
const GREEN_MS_MAX = 3_600_000;

const HELP = `Usage: npm run mutants -- [<part of a promise or of a file> …] [--list]

  Without arguments, plants all of them. The last line is \`N caught, N survived, N no longer apply\`; anything but caught fails.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, help: { type: 'boolean' } },
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
  for (const mutant of chosen) count[await plant(mutant)] += 1;
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
  const { failed, output } = await run(specs, GREEN_MS_MAX);
  if (failed === 0) return;
  console.log(output);
  throw new Error('These specs fail without any planted bug.');
}

async function plant({ promise, file, find, replace, specs }) {
  const target = path.join(copy, file);
  const source = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : '';
  if (source.split(find).length !== 2) {
    console.log(`? ${promise}\n  ${file} does not have the text to be replaced exactly once`);
    return 'stale';
  }
  fs.writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  const started = Date.now();
  const { failed, passed, output } = await run([...specs, `--testTimeout=${TEST_MS_MAX}`]);
  const isBroken = output.includes('Test suite failed to run');
  const hasRun = !isBroken && (passed > 0 || (await stillRuns(file)));
  fs.writeFileSync(target, source);
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

/** Runs specs in the copy. */
async function run(specs, msMax = RUN_MS_MAX) {
  const child = spawn(process.execPath, ['tools/test.mjs', ...specs], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => parts.push(data));
  const timer = setTimeout(() => {
    parts.push(Buffer.from(`\nThe specs were stopped: they took longer than ${msMax / 60_000} minutes.\n`));
    child.kill('SIGTERM');
  }, msMax);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const output = Buffer.concat(parts).toString();
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed, \d+ skipped\s*$/.exec(output) ?? [];
  return { failed: Number(failed), passed: Number(passed), output };
}
