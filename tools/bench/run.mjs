// npm run bench: measures Strata on this machine, and bare Fastify and PostgreSQL at the same time for comparison.
// Starts everything in a temporary directory, ends by itself and leaves nothing behind.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, ensureToolPackages } from '../ensure.mjs';
import { GROUPS } from './groups.mjs';

const HELP = `Usage: npm run bench -- [--only <groups>] [--quick] [--size] [--overload] [--matrix] [--plans] [--reverts] [--large] [--hostile] [--telemetry] [--streams] [--sockets] [--scale] [--standbys] [--isolation] [--edge] [--console] [--json] [--profile <directory>]

  --only     some groups of rows, separated by commas: ${GROUPS.join(', ')}
  --quick    a fifth of the projects and short rounds: a minute on an idle machine, and noisier
  --size     instead of all that: one project of 1,000 parameters, alone and among 100,000 (some minutes)
  --overload instead of all that: latency of one organization while another one sends expensive requests, by kind (four minutes)
  --matrix   instead of all that: a matrix of 500 names in 20 environments, and one of its names explained
  --plans    instead of all that: what writers wait beside plans of a hundred operations
  --reverts  instead of all that: plans and reverts of up to 20,000 objects, and of up to 5,000 names that are all at fault
  --large    instead of all that: imports, changesets and plans of up to 5,000 values, and searches of 300,000
  --hostile  instead of all that: how long the most expensive input holds up the core's main thread
  --telemetry instead of all that: the cost of metrics and traces for a read and a write
  --streams instead of all that: the cost of a write while 1,000 streams follow 100 configurations
  --sockets instead of all that: the memory of a gateway with 10,000 websockets (two minutes)
  --scale    instead of all that: rates of 1, 2 and 4 cores over one PostgreSQL, 10,000 organizations and a million
             parameters (ten minutes)
  --standbys instead of all that: reads of a standby, as ratios to those of the primary server (two minutes)
  --isolation instead of all that: the cost of row-level security, enforced and disabled in turns (four minutes)
  --edge     instead of all that: memory, start, rate and streams of an edge
  --console  instead of all that: bytes, requests and layout shift of the console's pages, and how fast a matrix of
             10,000 parameters and searches in it respond, in a browser (six minutes)
  --json     results as JSON on standard output; progress goes to standard error
  --profile  writes CPU profiles of core and gateway over the whole run into this directory (it slows them down)`;

const FULL = {
  projects: 20,
  loadMs: 40_000,
  rounds: 6,
  sliceMs: 700,
  // The subjects of one service warm it together: it takes eight seconds of writes until the core is compiled.
  warmMs: 2_000,
  constantMs: 3_000,
  phaseMs: {
    reads: 24_000,
    lists: 24_000,
    graphql: 40_000,
    writes: 50_000,
    mixed: 8_000,
    constant: 24_000,
    latency: 16_000,
    crowd: 8_000,
  },
  settleMs: 12_000,
  idleMs: 30_000,
  starts: 5,
  events: 400,
  subscribers: 500,
  crowdEvents: 60,
  limitMs: 500_000,
};
const QUICK = {
  projects: 4,
  loadMs: 6_000,
  rounds: 2,
  sliceMs: 350,
  warmMs: 250,
  constantMs: 1_500,
  phaseMs: {
    reads: 6_000,
    lists: 5_000,
    graphql: 8_000,
    writes: 10_000,
    mixed: 3_000,
    constant: 8_000,
    latency: 5_000,
    crowd: 3_000,
  },
  settleMs: 8_000,
  idleMs: 5_000,
  starts: 2,
  events: 100,
  subscribers: 500,
  crowdEvents: 20,
  limitMs: 150_000,
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    size: { type: 'boolean' },
    overload: { type: 'boolean' },
    matrix: { type: 'boolean' },
    plans: { type: 'boolean' },
    reverts: { type: 'boolean' },
    large: { type: 'boolean' },
    hostile: { type: 'boolean' },
    telemetry: { type: 'boolean' },
    streams: { type: 'boolean' },
    sockets: { type: 'boolean' },
    scale: { type: 'boolean' },
    standbys: { type: 'boolean' },
    isolation: { type: 'boolean' },
    edge: { type: 'boolean' },
    console: { type: 'boolean' },
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
const { measureSize, renderSize } = await import('./size.mjs');
const { measureOverload, renderOverload } = await import('./overload.mjs');
const { measureMatrix, renderMatrix } = await import('./matrix.mjs');
const { measurePlans, renderPlans } = await import('./plans.mjs');
const { measureReverts, renderReverts } = await import('./reverts.mjs');
const { measureLarge, renderLarge } = await import('./large.mjs');
const { measureHostile, renderHostile } = await import('./hostile.mjs');
const { measureTelemetry, renderTelemetry } = await import('./telemetry.mjs');
const { measureStreams, renderStreams } = await import('./streams.mjs');
const { measureSockets, renderSockets } = await import('./sockets.mjs');
const { measureScale, renderScale } = await import('./scale.mjs');
const { measureStandbys, renderStandbys } = await import('./standbys.mjs');
const { measureIsolation, renderIsolation } = await import('./isolation.mjs');
const { measureEdge, renderEdge } = await import('./edge.mjs');
const { measureConsole, renderConsole } = await import('./console.mjs');

const only = options.only?.split(',').map((name) => name.trim()) ?? GROUPS;
const unknown = only.filter((name) => !GROUPS.includes(name));
if (unknown.length > 0) {
  console.error(`No group of rows is called ${unknown.join(', ')}. There are: ${GROUPS.join(', ')}`);
  process.exit(2);
}

if (only.includes('graphql') || only.includes('writes')) await ensureToolPackages('tools/bench/peer');

const say = (line) => (options.json ? console.error : console.log)(line);
const GRACE_MS = 15_000;
const limit = new AbortController();
const abandoned = new AbortController();
let stage;
let running;
let ending;
function end(code, message) {
  ending ??= (async () => {
    if (message) console.error(message);
    abandoned.abort();
    await stage?.close();
    // The processes of an abandoned measurement end by themselves.
    await Promise.race([running?.catch(() => {}), sleep(GRACE_MS)]);
    process.exit(code);
  })();
  return ending;
}
onEnd(() => void end(1));

try {
  await buildApps(['core', 'gateway', 'cli', ...(options.console ? ['console'] : [])], say);
  const plan = options.quick ? QUICK : FULL;
  const results = {};
  setTimeout(() => limit.abort(), plan.limitMs).unref();
  const execArgv = [
    ...(options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []),
    ...(options.hostile || options.overload
      ? ['--import', path.resolve(import.meta.dirname, '../block-probe.mjs')]
      : []),
  ];
  const openStage = async () => {
    say('Starting PostgreSQL …');
    stage = await Stage.open({ log: say, execArgv });
    return stage;
  };
  const alone = {
    size: [measureSize, renderSize],
    overload: [measureOverload, renderOverload],
    matrix: [measureMatrix, renderMatrix],
    plans: [measurePlans, renderPlans],
    reverts: [measureReverts, renderReverts],
    large: [measureLarge, renderLarge],
    hostile: [measureHostile, renderHostile],
    telemetry: [measureTelemetry, renderTelemetry],
    streams: [measureStreams, renderStreams],
    sockets: [measureSockets, renderSockets],
    scale: [measureScale, renderScale],
    standbys: [measureStandbys, renderStandbys],
    isolation: [measureIsolation, renderIsolation],
    edge: [measureEdge, renderEdge],
    console: [measureConsole, renderConsole],
  };
  for (const [name, [measureIt, renderIt]] of Object.entries(alone)) {
    if (!options[name]) continue;
    const measured = await measureIt(await openStage(), say);
    say(options.json ? '' : `\n${renderIt(measured)}\n`);
    if (options.json) process.stdout.write(`${JSON.stringify(measured, undefined, 2)}\n`);
    await end(0);
  }
  // If the machine is too busy to finish in time, prints the measurements so far.
  running = bench(openStage, { plan, only, results, say, signal: abandoned.signal });
  const isComplete = await Promise.race([
    running.then(() => true),
    new Promise((resolve) => limit.signal.addEventListener('abort', () => resolve(false))),
  ]);
  if (!isComplete) say(`\nNot done within ${plan.limitMs / 1_000} s: this machine is too busy. What there is:`);
  if (options.json) process.stdout.write(`${JSON.stringify({ ...results, aims: judge(results) }, undefined, 2)}\n`);
  else say(`\n${render(results)}\n`);
  await end(isComplete ? 0 : 1);
} catch (error) {
  if (!ending) await end(1, error.message);
}
