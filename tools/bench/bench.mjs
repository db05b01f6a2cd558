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

/** Runs a plan (see run.mjs) on an opened stage. Fills `results` step by step, so that a run that is cut short shows some. */
export async function bench(stage, plan, results, say) {
  Object.assign(results, { machine: machine(), plan, requests: {} });
  const { load: busy, cores } = results.machine;
  if (busy > cores / 4) {
    say(
      `Other programs keep this machine busy (load ${busy.toFixed(1)} on ${cores} cores): expect low rates, long latencies.`,
    );
  }
  const services = await start(stage, results, say);
  const urls = { core: stage.env.STRATA_CORE_URL, gateway: `http://127.0.0.1:${stage.env.STRATA_GATEWAY_PORT}` };
  const data = await seeded(urls.core, stage.apiKey, plan, say);
  results.projects = data.projects.length;
  const core = api(urls.core, stage.apiKey);
  const next = patches(core, data);

  await measureRequests({ stage, results, services, urls, data, core, next, say });
  await measureListeners({ stage, results, urls, corePort: core.port, next, say });
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
const memory = ({ core, gateway }) => ({ core: rssOf(core.pid), gateway: rssOf(gateway.pid) });

/** Starts the services several times on the migrated database; the last ones stay. */
async function start(stage, results, say) {
  say('Starting core and gateway …');
  const all = [];
  for (;;) {
    const { readyMs, ...services } = await stage.startServices();
    all.push(readyMs);
    if (all.length < results.plan.starts) {
      await Promise.all([stage.stop(services.core), stage.stop(services.gateway)]);
      continue;
    }
    await sleep(IDLE_MS);
    Object.assign(results, { readyMs: { all, worst: Math.max(...all) }, idle: memory(services) });
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

async function measureRequests({ stage, results, services, urls, data, core, next, say }) {
  const organizationId = await prepareDatabase(stage.postgres.url());
  const floors = await stage.startFloors(await floorMessage(core, data, urls.core, organizationId));
  await proveFloors(core, data, `http://127.0.0.1:${floors.port}`);
  const pids = { core: services.core.pid, gateway: services.gateway.pid, floors: floors.child.pid };
  const writer = await Connection.open(core.port);
  const write = async () => {
    await writer.ask(next());
    await sleep(AFTERMATH_MS);
  };
  const context = { core, gateway: api(urls.gateway, stage.apiKey), data, floors, pids, write, next };
  for (const [what, subjects] of [
    ['reads', readSubjects(context)],
    ['writes', writeSubjects(context)],
  ]) {
    const tell = (round, rounds) => say(`Measuring ${what}: round ${round} of ${rounds}`);
    const settings = { ...results.plan, phaseMs: results.plan.phaseMs[what], postgresPid: stage.postgres.pid, tell };
    Object.assign(results.requests, await measure(subjects, settings));
  }
  writer.close();
  await stage.stop(floors.child);
}

async function measureListeners({ stage, results, urls, corePort, next, say }) {
  const { events, crowdEvents, subscribers, phaseMs } = results.plan;
  const listening = { urls, corePort, apiKey: stage.apiKey, next };
  say('Measuring how soon listeners hear …');
  Object.assign(results, await measureLatency({ ...listening, events, phaseMs: phaseMs.latency }));
  say(`Opening ${subscribers} subscriptions …`);
  const tell = () => say('Measuring how soon all of them hear …');
  const crowd = { ...listening, events: crowdEvents, subscribers, phaseMs: phaseMs.crowd, tell };
  results.crowd = await measureCrowd(crowd);
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
