// npm run bench -- --matrix: measures the core's processor time for a matrix of 500 names in 20 environments, uncached
// and cached, and for explaining one of these names and one with a long history. Inserts the rows by SQL, in revisions
// like those of the service.
import pg from 'pg';
import { connect } from '../seed/client.mjs';
import { measureAll, plant } from './size.mjs';
import { api } from './subjects.mjs';

const NAMES = 500;
/** The number of additional environments. Every organization starts with four. */
const ENVIRONMENTS_MORE = 16;
/** The maximum processor time in which the core must rebuild the matrix. */
export const MATRIX_CPU_MS_MAX = 60;

/** Inserts the environments. Every other one is below production, and each of the rest is below the previous one. */
const ENVIRONMENTS = `
insert into environment (organization_id, id, name, parent_id)
select $1, md5('region ' || n)::uuid, 'region-' || lpad(n::text, 2, '0'),
       case when n % 2 = 1 then (select id from environment where organization_id = $1 and name = 'production')
            else md5('region ' || n - 1)::uuid end
  from generate_series(1, ${ENVIRONMENTS_MORE}) as n order by n`;

const PROJECTS = `
insert into project (organization_id, id, name)
select $1, md5('matrix ' || name)::uuid, name from unnest(array['sparse', 'full']) as name`;

const PARAMETERS = `
insert into parameter (organization_id, id, project_id, name, type_id, description)
select $1, md5('setting ' || p.name || n)::uuid, p.id, 'SETTING_' || lpad(n::text, 3, '0'),
       (select id from parameter_type where organization_id = $1 and name = 'string'), 'What setting ' || n || ' is for'
  from project p, generate_series(1, ${NAMES}) as n
 where p.organization_id = $1 and p.name in ('sparse', 'full')`;

/**
 * In \`sparse\`, a name has a value in default and in one of five environments; in \`full\`, it has one in every
 * environment.
 */
const VALUES = `
insert into value (organization_id, id, parameter_id, environment_id, text)
select $1, md5('value ' || x.id || e.id)::uuid, x.id, e.id, 'https://' || e.name || '.internal:' || 8000 + length(x.name)
  from project p
  join parameter x on x.organization_id = p.organization_id and x.project_id = p.id
  join environment e on e.organization_id = p.organization_id
 where p.organization_id = $1 and (p.name = 'full' or (p.name = 'sparse'
   and (e.parent_id is null or abs(hashtext(x.name || e.name)) % 5 = 0)))`;

/** The number of revisions that changed the description of the project, and of those that set the value. */
const VERSIONS = 10_000;

const LONG = [
  `insert into project (organization_id, id, name) values ($1, md5('long')::uuid, 'long')`,
  `insert into parameter (organization_id, id, project_id, name, type_id)
   select $1, md5('long parameter')::uuid, md5('long')::uuid, 'LONG', id
     from parameter_type where organization_id = $1 and name = 'string'`,
  `insert into value (organization_id, id, parameter_id, environment_id, text)
   select $1, md5('long value')::uuid, md5('long parameter')::uuid, id, 'again'
     from environment where organization_id = $1 and parent_id is null`,
];

/**
 * Inserts a history as if a row had been written often: skips revision numbers, and inserts versions with these
 * numbers.
 */
async function plantVersions(client, table, id, change) {
  await plant(client, [
    ['update organization_head set revision = revision + $2::int where organization_id = $1', VERSIONS],
  ]);
  await plant(client, [[`update ${table} set ${change} where organization_id = $1 and id = md5($2)::uuid`, id]]);
  const last = `(select max(revision) from ${table}_history where organization_id = $1 and id = md5($2)::uuid
                   and revision_to - revision > 1)`;
  await plant(client, [
    [
      `insert into ${table}_history
       select v.* from ${table}_history h, generate_series(h.revision_to - $3::int, h.revision_to - 1) n,
              jsonb_populate_record(h, to_jsonb(h) || jsonb_build_object('revision', n, 'revision_to', n + 1)) v
        where h.organization_id = $1 and h.id = md5($2)::uuid and h.revision = ${last}`,
      id,
      VERSIONS,
    ],
    [
      `update ${table}_history set revision_to = revision_to - $3::int
        where organization_id = $1 and id = md5($2)::uuid and revision = ${last}`,
      id,
      VERSIONS,
    ],
  ]);
}

/** Requests the matrix of a project with few values of its own, and of a project with all values of its own. */
export async function measureMatrix(stage, say) {
  const { core: child } = await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  const core = api(url, stage.apiKey);
  const client = new pg.Client({ connectionString: stage.postgres.url() });
  await client.connect();
  try {
    say(`Planting ${NAMES} names in ${ENVIRONMENTS_MORE + 4} environments, twice`);
    await plant(client, [[ENVIRONMENTS], [PROJECTS], [PARAMETERS], [VALUES]]);
    say(`Planting ${VERSIONS} versions of a project and of a value`);
    await plant(
      client,
      LONG.map((statement) => [statement]),
    );
    await plantVersions(client, 'value', 'long value', 'text = text');
    await plantVersions(client, 'project', 'long', `description = 'again'`);
    await client.query('vacuum analyze');
    const { results } = await connect(url, stage.apiKey).get('/api/v1/projects/');
    const matrixPath = (name) => `/api/v1/projects/${results.find((project) => project.name === name).id}/matrix/`;
    const explained = `${matrixPath('sparse').replace('matrix', 'explain')}?environment=region-16&name=SETTING_250`;
    const long = matrixPath('long').replace('matrix', 'explain');
    const paths = {
      'a value in one of five, read anew': `${matrixPath('sparse')}?as_of=2999-01-01`,
      'a value in every cell, read anew': `${matrixPath('full')}?as_of=2999-01-01`,
      'a value in one of five, rows kept': matrixPath('sparse'),
      'names that differ, rows kept': `${matrixPath('sparse')}?state=differs&page_size=50`,
      'two environments compared, kept': `${matrixPath('sparse').replace('matrix', 'compare')}?left=staging&right=production`,
      'one name explained, read anew': `${explained}&as_of=2999-01-01`,
      'one name explained, kept': explained,
      [`one beside ${VERSIONS} versions, anew`]: `${long}?environment=region-16&name=LONG&as_of=2999-01-01`,
      [`none beside ${VERSIONS} versions, anew`]: `${long}?environment=region-16&name=GONE&as_of=2999-01-01`,
    };
    return await measureAll(paths, { core, pid: child.pid, postgresPid: stage.postgres.pid, say });
  } finally {
    await client.end();
  }
}

/** Formats the result as a table. */
export function renderMatrix(costs) {
  const head = ['', 'p50 ms', 'core ms', 'PostgreSQL ms', 'kB', `core ≤ ${MATRIX_CPU_MS_MAX} ms`];
  const rows = Object.entries(costs).map(([name, { p50, server, postgres, bytes }]) => [
    name,
    p50.toFixed(1),
    (server / 1_000).toFixed(1),
    (postgres / 1_000).toFixed(1),
    Math.round(bytes / 1_000).toLocaleString('en'),
    server / 1_000 <= MATRIX_CPU_MS_MAX ? 'PASS' : 'MISS',
  ]);
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
    .join('\n');
}
