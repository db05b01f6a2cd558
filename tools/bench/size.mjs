// npm run bench -- --size: measures whether requests for one project cost more if the organization contains a hundred
// times as much. Inserts the rows by SQL, in revisions like those of the service, because a hundred thousand requests
// would take too long.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect } from '../seed/client.mjs';
import { Connection, drive } from './http-load.mjs';
import { cpuOfFamily, readProcessorTime } from './processes.mjs';
import { api } from './subjects.mjs';

const PARAMETERS_EACH = 1_000;
const PROJECTS_MORE = 99;
const VALUES_EACH = 20;
const DEPTH = 200;
const SLICE_MS = 3_000;
const SETTLE_MS = 500;
/**
 * The maximum factor between the costs. The size of the rest of the organization must not change the order of
 * magnitude.
 */
export const SIZE_RATIO_MAX = 10;

const IN_A_REVISION = `
with head as (
  update organization_head set revision = revision + 1, at = greatest(clock_timestamp(), at + interval '1 microsecond')
   where organization_id = coalesce($1, organization_id)
   returning organization_id, revision, at),
changeset as (
  insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id)
  select organization_id, revision, at, 'bench', 'bench', 'service', 'rest', 'bench' from head)
select organization_id, set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true)
  from head`;

/**
 * Inserts a chain of environments. The requests use the last one, so that every response inherits through all of them.
 */
const ENVIRONMENTS = `
insert into environment (organization_id, id, name, parent_id)
select $1, md5('environment ' || number)::uuid, 'deep-' || lpad(number::text, 3, '0'),
       case number when 1 then (select id from environment where organization_id = $1 and parent_id is null)
              else md5('environment ' || number - 1)::uuid end
  from generate_series(1, ${DEPTH}) as number order by number`;

const PROJECTS = `
insert into project (organization_id, id, name)
select $1, md5('project ' || project_number)::uuid, 'project ' || lpad(project_number::text, 3, '0') from generate_series($2::int, $3::int) as project_number`;

const PARAMETERS = `
insert into parameter (organization_id, id, project_id, name, type_id)
select $1, md5('parameter ' || project_number || '.' || number)::uuid, md5('project ' || project_number)::uuid, 'SETTING_' || lpad(number::text, 4, '0'),
       (select id from parameter_type where organization_id = $1 and name = 'string')
  from generate_series($2::int, $3::int) as project_number, generate_series(1, ${PARAMETERS_EACH}) as number`;

const VALUES = `
insert into value (organization_id, id, parameter_id, environment_id, text)
select $1, md5('value ' || project_number || '.' || number || '.' || depth)::uuid, md5('parameter ' || project_number || '.' || number)::uuid,
       md5('environment ' || depth * ${DEPTH / VALUES_EACH})::uuid, 'https://service-' || project_number || '.internal:' || 8000 + number || '/v' || depth
  from generate_series($2::int, $3::int) as project_number, generate_series(1, ${PARAMETERS_EACH}) as number,
       generate_series(1, ${VALUES_EACH}) as depth`;

/**
 * Inserts rows in one revision, as the service does. $1 of each statement is the organization: the only one unless it is
 * given.
 */
export async function plant(client, statements, organizationId = null) {
  await client.query('begin');
  const { rows } = await client.query(IN_A_REVISION, [organizationId]);
  for (const [statement, ...values] of statements) await client.query(statement, [rows[0].organization_id, ...values]);
  await client.query('commit');
}

/** Returns the paths to request for one project with a thousand parameters. */
async function questions(core) {
  const [project] = (await core.get('/api/v1/projects/?name=project%20001')).results;
  const home = `/api/v1/projects/${project.id}`;
  const { results } = await core.get(`${home}/parameters/?name=SETTING_0500&values=false`);
  const names = Array.from({ length: 20 }, (_, n) => `SETTING_${String(50 * n + 1).padStart(4, '0')}`);
  const template = await core.post(`${home}/templates/`, {
    name: 'size',
    body: names.map((name) => `${name}={{ ${name} }}\n`).join(''),
  });
  const environment = `environment=deep-${DEPTH}`;
  return {
    'list, first page of 500': `${home}/parameters/?${environment}`,
    'one parameter': `${home}/parameters/${results[0].id}/?${environment}`,
    'effective configuration, read anew': `${home}/effective/?${environment}&as_of=2999-01-01`,
    export: `${home}/parameter-export/?output=dotenv&${environment}`,
    'template, rendered': `${home}/templates/${template.id}/?${environment}`,
  };
}

/** Measures the cost of each path over one connection. */
export async function measureAll(paths, { core, pid, postgresPid, say }) {
  const results = {};
  for (const [name, path] of Object.entries(paths)) {
    const request = core.bytes('GET', path);
    const connection = await Connection.open(core.port);
    await drive([connection], { next: () => request, status: 200, ms: SLICE_MS / 3 });
    await sleep(SETTLE_MS);
    const before = [readProcessorTime(pid), cpuOfFamily(postgresPid)];
    const { latencies, bytes } = await drive([connection], { next: () => request, status: 200, ms: SLICE_MS });
    const after = [readProcessorTime(pid), cpuOfFamily(postgresPid)];
    connection.close();
    const [server, postgres] = after.map((at, n) => (at - before[n]) / latencies.length);
    latencies.sort((left, right) => left - right);
    results[name] = { p50: latencies[latencies.length >> 1], server, postgres, bytes, requests: latencies.length };
    say(`  ${name}: p50 ${results[name].p50.toFixed(2)} ms`);
  }
  return results;
}

/** Measures with one project of a thousand parameters, then with a hundred of them. */
export async function measureSize(stage, say) {
  const { core: child } = await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  const core = api(url, stage.apiKey);
  const client = new pg.Client({ connectionString: stage.postgres.url() });
  await client.connect();
  try {
    const context = { core, pid: child.pid, postgresPid: stage.postgres.pid, say };
    say(`Planting ${PARAMETERS_EACH} parameters in ${VALUES_EACH} environments, ${DEPTH} environments deep`);
    await plant(client, [[ENVIRONMENTS], [PROJECTS, 1, 1], [PARAMETERS, 1, 1], [VALUES, 1, 1]]);
    await client.query('vacuum analyze');
    const paths = await questions(connect(url, stage.apiKey));
    const smallTimes = await measureAll(paths, context);
    const last = PROJECTS_MORE + 1;
    say(`Planting ${PROJECTS_MORE * PARAMETERS_EACH} parameters more`);
    await plant(client, [
      [PROJECTS, 2, last],
      [PARAMETERS, 2, last],
      [VALUES, 2, last],
    ]);
    await client.query('vacuum analyze');
    return { few: smallTimes, many: await measureAll(paths, context) };
  } finally {
    await client.end();
  }
}

/** Formats the result as a table. */
export function renderSize({ few, many }) {
  const head = ['', 'p50 ms', 'server µs', 'PostgreSQL µs', 'of 100,000: p50', 'server', 'PostgreSQL', 'ratio of p50'];
  const rows = Object.keys(few).map((name) => {
    const [small, hundred] = [few[name], many[name]];
    const ratio = hundred.p50 / small.p50;
    const cells = [
      small.p50.toFixed(2),
      small.server,
      small.postgres,
      hundred.p50.toFixed(2),
      hundred.server,
      hundred.postgres,
    ];
    const shown = cells.map((cell) => (typeof cell === 'number' ? Math.round(cell).toLocaleString('en') : cell));
    return [name, ...shown, `${ratio.toFixed(2)} ${ratio <= SIZE_RATIO_MAX ? 'PASS' : 'MISS'}`];
  });
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
    .join('\n');
}
