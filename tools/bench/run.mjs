// npm run bench: measures Strata on this machine, beside what bare Fastify and PostgreSQL do in the same minutes.
// Starts everything of its own in a temporary directory, stops by itself, leaves nothing behind.
import { parseArgs } from 'node:util';
import { ensure } from '../ensure.mjs';
import { onEnd } from '../lifetime.mjs';

const HELP = `Usage: npm run bench -- [--quick] [--json] [--profile <directory>]

  --quick    a fifth of the projects and short rounds: 40 s on an idle machine, and noisier
  --json     results as JSON on standard output; progress goes to standard error
  --profile  writes a CPU profile of the core over the whole run into this directory (it slows the core down)`;

const FULL = {
  projects: 20,
  loadMs: 40_000,
  rounds: 6,
  sliceMs: 700,
  warmMs: 700,
  phaseMs: { reads: 42_000, writes: 14_000, latency: 12_000, crowd: 8_000 },
  starts: 3,
  events: 400,
  subscribers: 500,
  crowdEvents: 60,
  limitMs: 178_000,
};
const QUICK = {
  projects: 4,
  loadMs: 6_000,
  rounds: 2,
  sliceMs: 350,
  warmMs: 250,
  phaseMs: { reads: 10_000, writes: 4_000, latency: 4_000, crowd: 3_000 },
  starts: 2,
  events: 100,
  subscribers: 500,
  crowdEvents: 20,
  limitMs: 90_000,
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    profile: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
await ensure();
const { buildApps } = await import('../build-apps.mjs');
const { bench } = await import('./bench.mjs');
const { render, judge } = await import('./report.mjs');
const { Stage } = await import('./stage.mjs');

const say = (line) => (options.json ? console.error : console.log)(line);
let stage;
let ending;
function end(code, message) {
  ending ??= (async () => {
    if (message) console.error(message);
    await stage?.close();
    process.exit(code);
  })();
  return ending;
}
onEnd(() => void end(1));

try {
  await buildApps(['core', 'gateway'], say);
  const plan = options.quick ? QUICK : FULL;
  const results = {};
  const limit = new AbortController();
  setTimeout(() => limit.abort(), plan.limitMs).unref();
  say('Starting PostgreSQL …');
  const execArgv = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  stage = await Stage.open({ log: say, execArgv });
  // A machine that is too busy to finish on shows what it could measure.
  const isComplete = await Promise.race([
    bench(stage, plan, results, say).then(() => true),
    new Promise((resolve) => limit.signal.addEventListener('abort', () => resolve(false))),
  ]);
  if (!isComplete) say(`\nNot done within ${plan.limitMs / 1_000} s: this machine is too busy. What there is:`);
  if (options.json) process.stdout.write(`${JSON.stringify({ ...results, aims: judge(results) }, undefined, 2)}\n`);
  else say(`\n${render(results)}\n`);
  await end(isComplete ? 0 : 1);
} catch (error) {
  if (!ending) await end(1, error.message);
}
