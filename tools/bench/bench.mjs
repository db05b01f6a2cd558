// The order of a run: start, load, prove the floors, measure reads, writes, listeners.
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { load } from './configuration.mjs';
import { Connection } from './http-load.mjs';
import { measureCrowd, measureLatency } from './latency.mjs';
import { measure } from './measure.mjs';
import { rssOf } from './processes.mjs';
import { api, floorMessage, patches, proveFloors, readSubjects, writeSubjects } from './subjects.mjs';

const IDLE_MS = 2_000;
/** Writes have consequences that go on for a moment after the answer. */
const AFTERMATH_MS = 30;

/** Runs a plan (see run.mjs) on an opened stage; returns everything that was measured. */
export async function bench(stage, plan, say) {
  const about = machine();
  if (about.load > about.cores / 4) say(busy(about));
  const { services, readyMs, idle } = await start(stage, plan, say);
  const [coreUrl, gatewayUrl] = [stage.env.STRATA_CORE_URL, `http://127.0.0.1:${stage.env.STRATA_GATEWAY_PORT}`];
  const data = await seeded(coreUrl, stage.apiKey, plan, say);
  const core = api(coreUrl, stage.apiKey);
  const gateway = api(gatewayUrl, stage.apiKey);

  const organizationId = await prepareDatabase(stage.postgres.url());
  const floors = await stage.startFloors(await floorMessage(core, data, coreUrl, organizationId));
  await proveFloors(core, data, `http://127.0.0.1:${floors.port}`);

  const pids = { core: services.core.pid, gateway: services.gateway.pid, floors: floors.child.pid };
  const next = patches(core, data);
  const writer = await Connection.open(core.port);
  const write = async () => {
    await writer.ask(next());
    await sleep(AFTERMATH_MS);
  };
  const context = { core, gateway, data, floors, pids, write };
  const settings = { ...plan, postgresPid: stage.postgres.pid };
  const told = (what) => ({
    ...settings,
    phaseMs: plan.phaseMs[what],
    tell: (round, rounds) => say(`Measuring ${what}: round ${round} of ${rounds}`),
  });
  const reads = await measure(readSubjects(context), told('reads'));
  const writes = await measure(writeSubjects(context), told('writes'));
  writer.close();
  await stage.stop(floors.child);

  say('Measuring how soon listeners hear …');
  const listeners = { coreUrl, gatewayUrl, corePort: core.port, apiKey: stage.apiKey, next };
  const latency = await measureLatency({ ...listeners, events: plan.events, phaseMs: plan.phaseMs.latency });
  say(`Opening ${plan.subscribers} subscriptions …`);
  const crowd = await measureCrowd({
    ...listeners,
    events: plan.crowdEvents,
    phaseMs: plan.phaseMs.crowd,
    subscribers: plan.subscribers,
    tell: () => say('Measuring how soon all of them hear …'),
  });
  return {
    machine: about,
    projects: data.projects.length,
    plan,
    requests: [...reads.keys(), ...writes.keys()],
    ...Object.fromEntries([...reads, ...writes]),
    ...latency,
    crowd,
    readyMs,
    idle,
    loaded: memory(services),
  };
}

const machine = () => ({
  node: process.versions.node,
  platform: process.platform,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  load: loadavg()[0],
  memoryGb: Math.round(totalmem() / 2 ** 30),
});
const busy = ({ load, cores }) =>
  `Other programs keep this machine busy (load ${load.toFixed(1)} on ${cores} cores): rates will be low and latencies high; CPU per request and ratios say more.`;
const memory = ({ core, gateway }) => ({ core: rssOf(core.pid), gateway: rssOf(gateway.pid) });

/** Starts the services several times on the migrated database; the last ones stay. */
async function start(stage, { starts }, say) {
  say('Starting core and gateway …');
  const all = [];
  for (;;) {
    const { readyMs, ...services } = await stage.startServices();
    all.push(readyMs);
    if (all.length < starts) {
      await Promise.all([stage.stop(services.core), stage.stop(services.gateway)]);
      continue;
    }
    await sleep(IDLE_MS);
    return { services, readyMs: { all, worst: Math.max(...all) }, idle: memory(services) };
  }
}

async function seeded(url, apiKey, plan, say) {
  const started = performance.now();
  const data = await load(url, apiKey, plan, (done, all) => {
    if (done % 4 === 0 || done === all) say(`Loading through the API: ${done} of ${all} projects`);
  });
  const seconds = (performance.now() - started) / 1_000;
  say(`Loaded ${data.projects.length} of ${plan.projects} projects: ${data.writes} writes in ${seconds.toFixed(1)} s`);
  return data;
}

/** A table for the floor that only updates; statistics for everybody. Returns the organization's id. */
async function prepareDatabase(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create table bench_floor (id uuid primary key, text text not null)');
    await client.query(`insert into bench_floor select id, 'text' from value`);
    await client.query('vacuum analyze');
    const { rows } = await client.query('select organization_id from value limit 1');
    return rows[0].organization_id;
  } finally {
    await client.end();
  }
}
