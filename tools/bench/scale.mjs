// npm run bench -- --scale: how rates change with the number of cores over one PostgreSQL, and what requests of one
// organization cost beside 10,000 organizations and a million parameters.
import pg from 'pg';
import { load } from './configuration.mjs';
import { Connection, drive } from './http-load.mjs';
import { percentile } from './measure.mjs';
import { readResidentMemory } from './processes.mjs';
import { plant } from './size.mjs';
import { api, patches, paths } from './subjects.mjs';

const CORES = [1, 2, 4];
const CONNECTIONS_EACH = 8;
const ROUNDS = 3;
const SLICE_MS = 3_000;
const ORGANIZATIONS = 10_000;
/** The organizations that are read in turns. */
const VISITED = 1_000;
const CREATED_AT_A_TIME = 8;
const PROJECTS = 1_000;
const PARAMETERS_EACH = 1_000;
const PROJECTS_IN_A_REVISION = 50;

const NEW_PROJECTS = `
insert into project (organization_id, id, name)
select $1, md5('project ' || project_number)::uuid, 'planted ' || project_number
  from generate_series($2::int, $3::int) as project_number`;
const NEW_PARAMETERS = `
insert into parameter (organization_id, id, project_id, name, type_id)
select $1, md5(project_number || '.' || number)::uuid, md5('project ' || project_number)::uuid, 'SETTING_' || number,
       (select id from parameter_type where organization_id = $1 and name = 'string')
  from generate_series($2::int, $3::int) as project_number, generate_series(1, ${PARAMETERS_EACH}) as number`;
const NEW_VALUES = `
insert into value (organization_id, id, parameter_id, environment_id, text)
select $1, md5('value ' || project_number || '.' || number)::uuid, md5(project_number || '.' || number)::uuid,
       (select id from environment where organization_id = $1 and parent_id is null), 'text ' || number
  from generate_series($2::int, $3::int) as project_number, generate_series(1, ${PARAMETERS_EACH}) as number`;

export async function measureScale(stage, say) {
  const cores = [];
  while (cores.length < CORES.at(-1)) cores.push(await stage.startCoreWith({}));
  const [{ child, url }] = cores;
  const data = await load(url, stage.apiKey, { projects: 1, loadMs: 60_000 }, () => undefined);
  const token = await signIn(url, stage.env);
  const tenants = await Promise.all(cores.map((_, at) => createTenant(url, token, `writers ${at}`)));
  const byCores = await measureCores(cores, { stage, data, tenants, say });

  const requests = oneOrganization(url, stage.apiKey, data);
  const measureOne = async () => ({ ...(await measureEach(requests)), coreMb: readResidentMemory(child.pid) });
  const empty = await measureOne();
  say(`Creating ${ORGANIZATIONS} organizations …`);
  const organizations = await createOrganizations(url, token);
  const visits = await visit(url, token, organizations);
  const beside = await measureOne();
  say(`Planting ${PROJECTS * PARAMETERS_EACH} parameters …`);
  await plantParameters(stage.postgres.url(), data.projects[0].id, say);
  return { byCores, visits, sizes: { empty, organizations: beside, parameters: await measureOne() } };
}

async function signIn(url, { STRATA_BOOTSTRAP_EMAIL: email, STRATA_BOOTSTRAP_PASSWORD: password }) {
  return (await post(url, null, 'auth/token/', { email, password })).access_token;
}

async function post(url, token, path, body) {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Creates an organization with one value for each writer. Returns its token and the paths of the values. */
async function createTenant(url, token, name) {
  const organization = await post(url, token, 'organizations/', { name });
  const tenantToken = await enter(url, token, organization.id);
  const project = await post(url, tenantToken, 'projects/', { name: 'scale' });
  const [environment] = await listEnvironments(url, tenantToken);
  const values = [];
  for (let n = 0; n < CONNECTIONS_EACH; n += 1) {
    const parameter = await post(url, tenantToken, `projects/${project.id}/parameters/`, { name: `P${n}` });
    const base = `projects/${project.id}/parameters/${parameter.id}/values/`;
    const value = await post(url, tenantToken, base, { environment: environment.url, internal_value: 'first' });
    values.push(`/api/v1/${base}${value.id}/`);
  }
  return { token: tenantToken, values };
}

/** Returns the token of the signed-in person for an organization. */
async function enter(url, token, organization) {
  return (await post(url, token, 'auth/token/', { organization })).access_token;
}

async function listEnvironments(url, token) {
  const response = await fetch(`${url}/api/v1/environments/`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()).results;
}

/** Returns the rates of each kind of request, by the number of cores. */
async function measureCores(cores, { stage, data, tenants, say }) {
  const { compact, value } = paths(data);
  const kinds = {
    'compact, unchanged': (core) => () => core.bytes('GET', compact),
    'one value': (core) => () => core.bytes('GET', value),
    'writes of one organization': (core) => patches(core, data),
    'writes of an organization for each core': (_, at, url) => {
      const tenant = api(url, tenants[at].token, 'Bearer');
      return patches(tenant, null, tenants[at].values);
    },
  };
  const rates = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, CORES.map(() => [])]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [kind, requestsOf] of Object.entries(kinds))
      for (const [step, count] of CORES.entries()) {
        say(`Round ${round + 1} of ${ROUNDS}: ${kind}, ${count} cores`);
        const driven = cores.slice(0, count).map(async ({ url }, at) => {
          const core = api(url, stage.apiKey);
          const next = requestsOf(core, at, url);
          return driveAll(core.port, next);
        });
        const counts = await Promise.all(driven);
        rates[kind][step].push(counts.reduce((sum, perSecond) => sum + perSecond, 0));
      }
  return Object.fromEntries(
    Object.entries(rates).map(([kind, steps]) => [kind, steps.map((all) => percentile(all, 50))]),
  );
}

async function driveAll(port, next) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS_EACH }, () => Connection.open(port)));
  try {
    const { latencies, tookMs } = await drive(connections, { next, status: 200, ms: SLICE_MS });
    return (latencies.length / tookMs) * 1_000;
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Returns requests of one organization by name, each as a function that builds the next one. */
function oneOrganization(url, apiKey, data) {
  const core = api(url, apiKey);
  const { compact, list } = paths(data);
  let count = 0;
  const nextInstant = () => `2999-01-01T00:00:00.${String(count++).padStart(6, '0')}Z`;
  return {
    port: core.port,
    kinds: {
      'compact, unchanged': () => core.bytes('GET', compact),
      'compact, read anew': () => core.bytes('GET', `${compact}&as_of=${nextInstant()}`),
      'list of 100 parameters': () => core.bytes('GET', list),
      'PATCH of a value': patches(core, data),
    },
  };
}

/** Measures each kind over one connection: the median latency in milliseconds. */
async function measureEach({ port, kinds }) {
  const p50 = {};
  for (const [kind, next] of Object.entries(kinds)) {
    const connection = await Connection.open(port);
    await drive([connection], { next, status: 200, ms: SLICE_MS / 3 });
    const { latencies } = await drive([connection], { next, status: 200, ms: SLICE_MS });
    connection.close();
    p50[kind] = percentile(latencies, 50);
  }
  return { p50 };
}

async function createOrganizations(url, token) {
  const ids = [];
  const create = async () => {
    while (ids.length < ORGANIZATIONS) {
      const at = ids.push(null) - 1;
      ids[at] = (await post(url, token, 'organizations/', { name: `organization ${at}` })).id;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CREATED_AT_A_TIME }, create));
  return { ids, perSecond: ORGANIZATIONS / ((performance.now() - started) / 1_000) };
}

/** Reads the environments of many organizations in turns: once each, then again. */
async function visit(url, token, { ids, perSecond }) {
  const requests = [];
  for (const id of ids.slice(0, VISITED)) {
    requests.push(api(url, await enter(url, token, id), 'Bearer').bytes('GET', '/api/v1/environments/'));
  }
  const { port } = api(url, token);
  const [first, again] = [await readOnce(port, requests), await readOnce(port, requests)];
  return { createdPerSecond: perSecond, first, again };
}

async function readOnce(port, requests) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS_EACH }, () => Connection.open(port)));
  const waiting = [...requests];
  const { latencies } = await drive(connections, { next: () => waiting.pop(), status: 200 });
  for (const connection of connections) connection.close();
  return percentile(latencies, 50);
}

async function plantParameters(databaseUrl, projectId, say) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select organization_id as id from project where id = $1', [projectId]);
    const organizationId = rows[0].id;
    for (let from = 1; from <= PROJECTS; from += PROJECTS_IN_A_REVISION) {
      const range = [from, from + PROJECTS_IN_A_REVISION - 1];
      await plant(
        client,
        [
          [NEW_PROJECTS, ...range],
          [NEW_PARAMETERS, ...range],
          [NEW_VALUES, ...range],
        ],
        organizationId,
      );
      if (range[1] % 200 === 0) say(`  ${range[1] * PARAMETERS_EACH} of ${PROJECTS * PARAMETERS_EACH}`);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Formats the result as two tables. */
export function renderScale({ byCores, visits, sizes }) {
  const cores = Object.entries(byCores).map(([kind, rates]) => {
    const shown = rates.map((rate) => `${Math.round(rate).toLocaleString('en')} (${(rate / rates[0]).toFixed(2)})`);
    return `  ${kind}: ${shown.join(', ')}`;
  });
  const [empty, ...others] = Object.values(sizes);
  const costs = Object.entries(empty.p50).map(([kind, base]) => {
    const ratios = others.map(({ p50 }) => `${p50[kind].toFixed(2)} (${(p50[kind] / base).toFixed(2)})`);
    return `  ${kind}: ${base.toFixed(2)}, ${ratios.join(', ')}`;
  });
  return [
    `Requests per second with ${CORES.join(', ')} cores, of one PostgreSQL (ratio to one core):`,
    ...cores,
    '',
    `p50 in ms for one organization: alone, beside ${ORGANIZATIONS} organizations, and with a million parameters in it (ratios):`,
    ...costs,
    `  memory of the core: ${Object.values(sizes)
      .map(({ coreMb }) => `${Math.round(coreMb)} MB`)
      .join(', ')}`,
    `  creating an organization: ${Math.round(visits.createdPerSecond)}/s; reading the environments of ${VISITED} organizations in turns: p50 ${visits.first.toFixed(2)} ms the first time, ${visits.again.toFixed(2)} ms again`,
  ].join('\n');
}
