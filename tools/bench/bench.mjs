// One run of the bench: starts the services and the floors, checks the floors, and measures the groups one after the
// other.
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureCommandLine } from './command-line.mjs';
import { ENVIRONMENTS, load, WIDE, WIDE_NAMES } from './configuration.mjs';
import { floorMessage, proveFloors } from './floor-message.mjs';
import { prepareDatabase } from './floor-writes.mjs';
import { countCalls } from './graphql.mjs';
import { GROUPS } from './groups.mjs';
import { Connection } from './http-load.mjs';
import { measureIdle } from './idle.mjs';
import { measureCrowd, measureLatency } from './latency.mjs';
import { measure } from './measure.mjs';
import { measureConstantRate } from './mixed.mjs';
import { readResidentMemory } from './processes.mjs';
import {
  api,
  floorNotifications,
  graphqlSubjects,
  listSubjects,
  mixedSubjects,
  patches,
  readSubjects,
  writeSubjects,
} from './subjects.mjs';

/** The time for which a write causes work after its response. */
const AFTERMATH_MS = 30;

/** The groups of rows whose subjects are measured alternately. */
const REQUESTS = {
  reads: readSubjects,
  lists: listSubjects,
  graphql: graphqlSubjects,
  writes: writeSubjects,
  mixed: mixedSubjects,
};

/**
 * Runs a plan (see run.mjs) on the stage that `openStage` opens. Fills `results` step by step, so that an interrupted
 * run has partial results. `only` selects groups. `signal` ends the measurements that start their own processes.
 */
export async function bench(openStage, { plan, only = GROUPS, results, say, signal }) {
  const has = (group) => only.includes(group);
  const skipped = [];
  const skip = (title, reason) => {
    if (skipped.some((skip) => skip.title === title)) return;
    skipped.push({ title, reason });
    say(`Left out, since this Strata does not know it: ${title} (${reason})`);
  };
  Object.assign(results, { machine: machine(), plan, only, requests: {}, skipped });
  const { load: busy, cores } = results.machine;
  if (busy > cores / 4) {
    say(
      `Other programs keep this machine busy (load ${busy.toFixed(1)} on ${cores} cores): expect low rates, long latencies.`,
    );
  }
  if (has('start')) {
    say('Measuring npm start: memory when idle, and time until ready …');
    results.idleOfAll = await measureIdle({ starts: plan.starts, settleMs: plan.settleMs, signal });
  }
  const stage = await openStage();
  const services = await start(stage, { plan, results, say, measured: has('start') });
  if (only.every((group) => group === 'start')) return;
  const urls = { core: stage.env.STRATA_CORE_URL, gateway: `http://127.0.0.1:${stage.env.STRATA_GATEWAY_PORT}` };
  const data = await seeded(urls.core, stage.apiKey, plan, say);
  results.projects = data.projects.length;
  const core = api(urls.core, stage.apiKey);
  const context = { stage, services, urls, data, core, gateway: api(urls.gateway, stage.apiKey), skip };
  Object.assign(context, { apiKey: stage.apiKey, next: patches(core, data) });

  if (has('reads')) {
    say('Measuring the command line …');
    const selection = { project: data.projects[0].name, environment: data.environments[0].name, name: WIDE_NAMES[0] };
    results.commandLineMs = measureCommandLine({ url: urls.core, apiKey: stage.apiKey, ...selection });
  }
  await startFloors(context);
  if (has('graphql') || has('writes')) {
    say('Starting PostGraphile …');
    context.peer = await stage.startPeer({ projects: WIDE.projects, environments: ENVIRONMENTS });
  }
  await measureRequests(context, { plan, has, results, say });
  if (context.peer) await stage.stop(context.peer.child);
  if (has('mixed')) await measureAtConstantRate(context, { plan, results, say });
  if (has('subscribers')) await measureListeners(context, { plan, results, say });
  await stage.stop(context.floors.child);
  results.loaded = memory(services);
}

const machine = () => ({
  node: process.versions.node,
  platform: process.platform,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  load: loadavg()[0],
});
const memory = ({ core, gateway }) => ({
  core: readResidentMemory(core.pid),
  gateway: readResidentMemory(gateway.pid),
});

/**
 * Starts the services on the migrated database. If the start is measured, starts them several times and keeps the last
 * ones.
 */
async function start(stage, { plan, results, say, measured }) {
  say('Starting core and gateway …');
  const all = [];
  for (;;) {
    const { readyMs, ...services } = await stage.startServices();
    all.push(readyMs);
    if (measured && all.length < plan.starts) {
      await Promise.all([stage.stop(services.core), stage.stop(services.gateway)]);
      continue;
    }
    if (measured) {
      await sleep(plan.idleMs);
      const sortedTimes = (name) => all.map((ready) => ready[name]).toSorted((a, b) => a - b);
      Object.assign(results, {
        readyMs: { core: sortedTimes('core'), gateway: sortedTimes('gateway') },
        idle: memory(services),
      });
    }
    return services;
  }
}

async function seeded(url, apiKey, plan, say) {
  const started = performance.now();
  const data = await load(url, apiKey, plan, (done, all) => say(`Loading through the API: ${done} of ${all} projects`));
  const seconds = (performance.now() - started) / 1_000;
  say(`Loaded ${data.projects.length} of ${plan.projects} projects: ${data.writes} writes in ${seconds.toFixed(1)} s`);
  return data;
}

/** Starts the floors, checks that they return the same responses as Strata, and adds them to the context. */
async function startFloors(context) {
  const { stage, services } = context;
  const organizationId = await prepareDatabase(stage.postgres.url());
  const message = await floorMessage(context, organizationId);
  const floors = await stage.startFloors(message);
  await proveFloors(context, `http://127.0.0.1:${floors.port}`);
  const pids = { core: services.core.pid, gateway: services.gateway.pid, floors: floors.child.pid };
  Object.assign(context, { floors, pids, bodies: message.bodies });
}

async function measureRequests(context, { plan, has, results, say }) {
  const { stage, core, next, skip } = context;
  const writer = await Connection.open(core.port);
  const write = async () => {
    await writer.ask(next());
    await sleep(AFTERMATH_MS);
  };
  for (const [group, subjectsOf] of Object.entries(REQUESTS)) {
    if (!has(group)) continue;
    if (group === 'graphql' && context.bodies.wide !== null) results.callsOfWide = await countCalls(stage);
    const tell = (round, rounds) => say(`Measuring ${group}: round ${round} of ${rounds}`);
    const settings = { ...plan, phaseMs: plan.phaseMs[group], postgresPid: stage.postgres.pid, tell, skip };
    Object.assign(results.requests, await measure(subjectsOf({ ...context, write }), settings));
  }
  writer.close();
}

async function measureAtConstantRate(context, { plan, results, say }) {
  const { rounds, constantMs, phaseMs } = plan;
  const tell = (round, total) => say(`Measuring the mix at a constant rate: round ${round} of ${total}`);
  const settings = { reached: results.requests, rounds, constantMs, phaseMs: phaseMs.constant, tell };
  results.constantRate = await measureConstantRate(mixedSubjects(context), settings);
}

async function measureListeners(context, { plan, results, say }) {
  const { stage, urls, core, next, floors } = context;
  const { events, crowdEvents, subscribers, phaseMs } = plan;
  const listening = { urls, corePort: core.port, apiKey: stage.apiKey, next };
  const floor = { port: floors.port, databaseUrl: stage.postgres.url(), next: floorNotifications(context) };
  say('Measuring how soon listeners hear …');
  Object.assign(results, await measureLatency({ ...listening, events, phaseMs: phaseMs.latency, floor }));
  say(`Opening ${subscribers} subscriptions …`);
  const tell = () => say('Measuring how soon all of them hear …');
  const crowd = { ...listening, events: crowdEvents, subscribers, phaseMs: phaseMs.crowd, tell };
  results.crowd = await measureCrowd(crowd);
}
