// The SQL statements of the floors. Each resolves inheritance and builds the whole response as JSON in the database.

const RESOLVED = `
  with recursive
  lineage as (
    select e.id, e.parent_id, 0 as depth from environment e where e.organization_id = $1 and e.name = $3
    union all
    select e.id, e.parent_id, l.depth + 1 from lineage l join environment e on e.organization_id = $1 and e.id = l.parent_id),
  chain as (
    select p.id, p.name, p.depends_on_id, 0 as depth from project p where p.organization_id = $1 and p.id = $2
    union all
    select p.id, p.name, p.depends_on_id, c.depth + 1 from chain c join project p on p.organization_id = $1 and p.id = c.depends_on_id),
  owner as (
    select x.*, c.depth, c.name as project_name from chain c join parameter x on x.organization_id = $1 and x.project_id = c.id),
  visible as (select distinct on (name) * from owner order by name, depth),
  effective as (
    select distinct on (o.name) o.name as parameter_name, o.project_id as owner_id, v.*, e.name as environment_name
      from owner o
      join value v on v.organization_id = $1 and v.parameter_id = o.id
      join lineage l on l.id = v.environment_id
      join environment e on e.organization_id = $1 and e.id = v.environment_id
     order by o.name, l.depth, o.depth)`;

/** $1 is the organization, $2 the project, $3 the name of the environment, $4 the digest. */
export const COMPACT = `${RESOLVED}
  select json_build_object(
    'project_id', p.id, 'project_name', p.name, 'environment_id', n.id, 'environment_name', n.name,
    'revision', h.revision, 'digest', $4::text, 'has_secret', false,
    'values', (select json_object_agg(parameter_name, text order by parameter_name) from effective))::text as body
    from organization_head h
    join project p on p.organization_id = h.organization_id and p.id = $2
    join environment n on n.organization_id = h.organization_id and n.name = $3
   where h.organization_id = $1`;

const wire = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const PROJECT = `$4::text || 'projects/' || x.project_id || '/'`;
const PARAMETER = `${PROJECT} || 'parameters/' || x.id || '/'`;
const VALUE_OWNER = `$4::text || 'projects/' || v.owner_id || '/parameters/' || v.parameter_id || '/'`;

const VALUE = `json_build_object(
    'url', ${VALUE_OWNER} || 'values/' || v.id || '/', 'id', v.id, 'ledger_id', v.ledger_id,
    'active_environment', $4 || 'environments/' || n.id || '/', 'active_environment_id', n.id, 'active_environment_name', n.name,
    'environment', $4 || 'environments/' || v.environment_id || '/', 'environment_id', v.environment_id,
    'environment_name', v.environment_name, 'parameter', ${VALUE_OWNER}, 'parameter_id', v.parameter_id,
    'external', false, 'external_fqn', '', 'external_filter', '', 'external_error', null, 'external_status', null,
    'internal_value', v.text, 'interpolated', false, 'value', v.text, 'evaluated', false, 'secret', x.secret,
    'referenced_projects', '[]'::json, 'referenced_parameters', '[]'::json, 'referenced_templates', '[]'::json,
    'created_at', ${wire('v.created_at')}, 'modified_at', ${wire('v.modified_at')},
    'dynamic', false, 'dynamic_error', null, 'dynamic_filter', '', 'dynamic_fqn', '', 'static_value', v.text,
    'expires_at', null)`;

/** $1 is the organization, $2 the project, $3 the name of the environment, $4 the root of the API, $5 the page size. */
export const LIST = `${RESOLVED},
  shown as (
    select x.name, json_build_object(
      'url', ${PARAMETER}, 'id', x.id, 'ledger_id', x.ledger_id, 'name', x.name, 'description', x.description,
      'secret', x.secret, 'type', t.name, 'rules', '[]'::json, 'project', ${PROJECT}, 'project_name', x.project_name,
      'referencing_templates', '[]'::json, 'referencing_values', '[]'::json,
      'values', json_build_object($4 || 'environments/' || n.id || '/', v.value), 'overrides', null,
      'created_at', ${wire('x.created_at')}, 'modified_at', ${wire('x.modified_at')},
      'templates', '[]'::json, 'values_flat', case when v.value is null then '[]'::json else json_build_array(v.value) end,
      'expires', null, 'expiration_action', null, 'expired_status', null) as row
      from visible x
      join parameter_type t on t.organization_id = $1 and t.id = x.type_id
      join environment n on n.organization_id = $1 and n.name = $3
      left join lateral (select ${VALUE} as value from effective v where v.parameter_name = x.name) v on true)
  select json_build_object(
    'count', (select count(*) from visible), 'next', null, 'previous', null,
    'results', (select json_agg(row order by name) from (select * from shown order by name limit $5) page))::text as body`;

/**
 * The gateway's response to `effective`. $1 is the organization, $2 the project, $3 the name of the environment, $4 the
 * digest.
 */
export const GRAPHQL = `${RESOLVED}
  select json_build_object('data', json_build_object('effective', json_build_object(
    'revision', h.revision, 'digest', $4::text,
    'map', (select json_object_agg(parameter_name, text order by parameter_name) from effective))))::text as body
    from organization_head h
   where h.organization_id = $1`;

/** Returns the column of one environment in the wide response: the nearest value, or null if there is none. */
const nearest = (environment, at) => `
  (array_agg(json_build_object('environmentName', l.name, 'value', s.text) order by l.depth, s.depth)
    filter (where l.active_name = '${environment}'))[1] as cell_${at}`;
const shownAs = (environment, at) => `'${environment}', c.cell_${at}`;

/**
 * Returns the statement for the effective values of the first parameters of the first projects in these environments.
 * $1 is the organization, $2 the number of projects, $3 the number of parameters. The names of the environments need no
 * escaping, because only the bench chooses them.
 */
export const wide = (environments) => `
  with recursive
  lineage as (
    select e.name as active_name, e.id, e.name, e.parent_id, 0 as depth
      from environment e
     where e.organization_id = $1 and e.name in (${environments.map((name) => `'${name}'`).join(', ')})
    union all
    select l.active_name, e.id, e.name, e.parent_id, l.depth + 1
      from lineage l join environment e on e.organization_id = $1 and e.id = l.parent_id),
  page as (select id, name, depends_on_id from project where organization_id = $1 order by name collate human limit $2),
  chain as (
    select p.id as root_id, p.id, p.depends_on_id, 0 as depth from page p
    union all
    select c.root_id, p.id, p.depends_on_id, c.depth + 1
      from chain c join project p on p.organization_id = $1 and p.id = c.depends_on_id),
  owner as materialized (
    select c.root_id, c.depth, x.id, x.name
      from chain c
      cross join lateral (select id, name from parameter where organization_id = $1 and project_id = c.id offset 0) x),
  shown as materialized (
    select * from (
      select v.*, row_number() over (partition by root_id order by name) as number
        from (select distinct on (root_id, name) root_id, name, id from owner order by root_id, name, depth) v) numbered
     where number <= $3),
  stored as materialized (
    select o.root_id, o.name, o.depth, v.environment_id, v.text
      from (select o.* from owner o join shown s on s.root_id = o.root_id and s.name = o.name) o
      cross join lateral (
        select environment_id, text from value where organization_id = $1 and parameter_id = o.id offset 0) v),
  cells as materialized (
    select s.root_id, s.name, ${environments.map(nearest).join(',')}
      from stored s join lineage l on l.id = s.environment_id
     group by s.root_id, s.name),
  edges as materialized (
    select s.root_id, json_agg(json_build_object('node', json_build_object(
             'id', s.id, 'name', s.name, ${environments.map(shownAs).join(', ')})) order by s.name) as edges
      from shown s left join cells c on c.root_id = s.root_id and c.name = s.name
     group by s.root_id)
  select json_build_object('data', json_build_object('projects', json_build_object('edges', (
    select json_agg(json_build_object('node', json_build_object('id', p.id, 'name', p.name, 'parameters',
             json_build_object('edges', coalesce(e.edges, '[]'::json)))) order by p.name collate human)
      from page p left join edges e on e.root_id = p.id))))::text as body`;
