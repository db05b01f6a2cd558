import { type PointInTime, rowsAt, wireTime } from '../../platform/postgres/versioned-table.ts';

/**
 * Builds parts of SQL statements about configuration: common table expressions and row sets. $1 is the organization, $2
 * the revision. The parts pass ids as arrays, so that PostgreSQL looks up each id in an index, independent of the size
 * of the tables and of its estimates for recursive queries. `union` removes duplicate rows, so that corrupt data cannot
 * cause an endless recursion. The resolver sorts the rows.
 */

/** Returns the CTE `<name>`: the projects that match a condition on `p`, and all projects that they depend on. */
export function projectChain(at: PointInTime, starts: string, name = 'project_chain'): string {
  return `${name} as (
      select p.id, p.name, p.depends_on_id from ${rowsAt('project', at)} p where ${starts}
      union
      select p.id, p.name, p.depends_on_id
        from ${name} c join ${rowsAt('project', at)} p on p.id = c.depends_on_id)`;
}

/**
 * Selects the ids of projects that project $3 depended on at that time and no longer depends on. Grants on the project
 * no longer apply to them, so their own access control decides.
 */
export function formerDependencies(at: PointInTime): string {
  if (at === 'now') return 'select null::uuid as id where false';
  const starts = 'p.id = $3::uuid';
  return `with recursive ${projectChain(at, starts, 'past')}, ${projectChain('now', starts, 'present')}
    select id from past where id not in (select id from present)`;
}

/**
 * Returns the CTE `environment_lineage`: the environments that match a condition on `e`, and all of their ancestors.
 */
export function environmentLineage(at: PointInTime, starts: string): string {
  return `environment_lineage as (
      select e.id, e.parent_id from ${rowsAt('environment', at)} e where ${starts}
      union
      select e.id, e.parent_id
        from environment_lineage l join ${rowsAt('environment', at)} e on e.id = l.parent_id)`;
}

/** Returns the CTE `owned_parameter`: the parameters of `project_chain` that match a condition on `x`. */
export function ownedParameters(at: PointInTime, condition: string): string {
  return `owned_parameter as materialized (
      select x.* from ${rowsAt('parameter', at)} x
       where x.project_id = any(array(select id from project_chain)) and ${condition})`;
}

/**
 * Selects the values of `owned_parameter`, either in the environments of `environment_lineage` or in all environments.
 */
export function valuesIn(at: PointInTime, environments: 'lineage' | 'all', columns: string): string {
  const narrowed = environments === 'lineage' ? 'join environment_lineage l on l.id = v.environment_id' : '';
  return `select ${columns} from ${rowsAt('value', at)} v ${narrowed}
      where v.parameter_id = any(array(select id from owned_parameter))`;
}

/** Selects the rules of the parameters in `owned_parameter`, sorted by kind. */
export function ownRules(at: PointInTime): string {
  return `select r.id, r.parameter_id as "parameterId", r.kind as type, r.constraint_text as "constraint", ${historyColumns('r')}
        from ${rowsAt('parameter_rule', at)} r
       where r.parameter_id = any(array(select id from owned_parameter)) order by r.kind`;
}

/** Selects the texts that refer to the parameters in `owned_parameter`: templates first, sorted by name. */
export function selectReferrers(at: PointInTime): string {
  return `select r.target_parameter_id as "parameterId", coalesce(r.template_id, r.value_id) as "sourceId",
             coalesce(t.project_id, o.project_id) as "projectId", o.id as "ofParameterId",
             v.environment_id as "environmentId", coalesce(t.name, o.name) as name, p.name as "projectName"
        from ${rowsAt('reference', at)} r
        left join ${rowsAt('template', at)} t on t.id = r.template_id
        left join ${rowsAt('value', at)} v on v.id = r.value_id
        left join ${rowsAt('parameter', at)} o on o.id = v.parameter_id
        left join ${rowsAt('project', at)} p on p.id = coalesce(t.project_id, o.project_id)
       where r.target_parameter_id = any(array(select id from owned_parameter))
       order by t.name collate human, o.name collate human, r.id`;
}

/** Returns the columns of a versioned row that describe its history. */
export function historyColumns(row: string): string {
  return `${row}.ledger_id, ${wireTime(`${row}.created_at`)} as created_at, ${wireTime(`${row}.modified_at`)} as modified_at`;
}

/** Returns SQL for the rows of a query as one JSON array. */
export function jsonList(query: string): string {
  return `(select coalesce(json_agg(r), '[]') from (${query}) r)`;
}
