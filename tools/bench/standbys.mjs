// npm run bench -- --standbys: measures reads of a core with a standby, as ratios to those of a core without one, at rest and beside
// writes. Both servers run on this machine, so the rates say little. The processor time of the primary server is what a standby saves.
import { findFreePort } from '../../libs/processes/src/index.ts';
import { startStandby } from '../jest/replicated-servers.mjs';
import { connect } from '../seed/client.mjs';
import { Connection, drive, driveAtRate } from './http-load.mjs';
import { cpuOfFamily } from './processes.mjs';
import { api } from './subjects.mjs';

const PARAMETERS = 500;
const CONNECTIONS = 4;
const ROUNDS = 2;
const SLICE_MS = 3_000;
const WRITES_PER_SECOND = 20;

/** Returns the rates and costs of each kind of read, by core and by writes beside it. */
export async function measureStandbys(stage, say) {
  const standby = await startStandby(stage.postgres);
  try {
    const metricsPort = await findFreePort();
    const plain = await stage.startCoreWith({});
    const replicated = await stage.startCoreWith({
      STRATA_READ_DATABASE_URLS: standby.url(),
      STRATA_METRICS_PORT: String(metricsPort),
    });
    const { project, valuePath, revision } = await createProject(connect(plain.url, stage.apiKey), say);
    const reads = {
      'list of 100 parameters, now': (n) => `${project}parameters/?page_size=${100 + (n % 50)}`,
      'list of 100 parameters, at a revision': (n) =>
        `${project}parameters/?revision=${revision}&page_size=100&page=${1 + (n % 5)}`,
      'export, at a revision': (n) =>
        `${project}parameter-export/?output=dotenv&environment=default&revision=${revision - (n % 50)}`,
      'page of the audit': (n) =>
        `/api/v1/audit/?page_size=50&page=${1 + (n % 9)}&earliest=2020-01-01T00:00:${String(n % 60).padStart(2, '0')}Z`,
    };
    const cores = { plain: api(plain.url, stage.apiKey), replicated: api(replicated.url, stage.apiKey) };
    const results = [];
    for (const isWriting of [false, true]) {
      for (const [name, path] of Object.entries(reads)) {
        say(`${name}${isWriting ? ', beside writes' : ''}`);
        const measured = { plain: { reads: 0, cpu: 0 }, replicated: { reads: 0, cpu: 0, shared: 0, counted: 0 } };
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const kind of ['plain', 'replicated']) {
            const before = [cpuOfFamily(stage.postgres.pid), await readCounters(metricsPort)];
            const writes = isWriting ? write(cores[kind], valuePath) : null;
            measured[kind].reads += await read(cores[kind], path);
            await writes;
            const after = await readCounters(metricsPort);
            measured[kind].cpu += cpuOfFamily(stage.postgres.pid) - before[0];
            if (kind === 'plain') continue;
            measured[kind].shared += after.standby - before[1].standby;
            measured[kind].counted += after.all - before[1].all;
          }
        }
        results.push({ name, isWriting, ...summarize(measured) });
      }
    }
    return results;
  } finally {
    await standby.stop();
  }
}

async function createProject(client, say) {
  say(`Creating ${PARAMETERS} parameters`);
  const { id } = await client.post('/api/v1/projects/', { name: 'standbys' });
  const project = `/api/v1/projects/${id}/`;
  const environments = await client.all('/api/v1/environments/');
  const environment = environments.find(({ name }) => name === 'default').url;
  let valuePath = '';
  for (let n = 0; n < PARAMETERS; n += 1) {
    const parameter = await client.post(`${project}parameters/`, { name: `SETTING_${n}`, description: 'A setting' });
    const path = `${project}parameters/${parameter.id}/values/`;
    const value = await client.post(path, { environment, internal_value: `https://service-${n}.example` });
    valuePath = `${path}${value.id}/`;
  }
  const { results } = await client.get('/api/v1/changesets/?page_size=1');
  return { project, valuePath, revision: results[0].revision };
}

let lastNumber = 0;

function nextNumber() {
  lastNumber += 1;
  return lastNumber;
}

async function read(core, path) {
  const connections = await openAll(core);
  try {
    const next = () => core.bytes('GET', path(nextNumber()));
    const { latencies } = await drive(connections, { next, status: 200, ms: SLICE_MS });
    return latencies.length;
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function write(core, path) {
  const connection = await Connection.open(core.port);
  const next = () => core.bytes('PATCH', path, { internal_value: `https://service-${nextNumber()}.example` });
  await driveAtRate([connection], { next, status: 200, perSecond: WRITES_PER_SECOND, ms: SLICE_MS });
  connection.close();
}

const openAll = (core) => Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(core.port)));

async function readCounters(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const sum = (label) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('strata_reads_total{') && line.includes(label))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
  return { standby: sum('strata_origin="standby"'), all: sum('') };
}

function summarize({ plain, replicated }) {
  return {
    share: replicated.shared / Math.max(1, replicated.counted),
    plainRate: (plain.reads / ROUNDS / SLICE_MS) * 1_000,
    rateRatio: replicated.reads / plain.reads,
    plainCpuMs: plain.cpu / plain.reads / 1_000,
    cpuRatio: replicated.cpu / replicated.reads / (plain.cpu / plain.reads),
  };
}

/** Formats the result as a table. */
export function renderStandbys(results) {
  const head =
    '| Read | Writes/s | Share of the standby | Rate, ratio | Primary CPU per read, ratio | Reads/s without | Primary CPU without (ms) |';
  const rows = results.map(
    ({ name, isWriting, share, rateRatio, cpuRatio, plainRate, plainCpuMs }) =>
      `| ${name} | ${isWriting ? WRITES_PER_SECOND : 0} | ${Math.round(share * 100)} % | ${rateRatio.toFixed(2)} | ${cpuRatio.toFixed(2)} | ${Math.round(plainRate)} | ${plainCpuMs.toFixed(2)} |`,
  );
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n');
}
