import { type PointInTime, rowsAt, wireTimeSql } from '../../platform/postgres/versioned-table.ts';

/**
 * Builds parts of SQL statements about configuration: common table expressions and row sets. $1 is the organization, $2
 * the revision. The parts pass ids as arrays, so that PostgreSQL looks up each id in an index, independent of the size
 * of the tables and of its estimates for recursive queries. `union` removes duplicate rows, so that corrupt data cannot
 * cause an endless recursion. The resolver sorts the rows.
 */

/** Returns the CTE `<name>`: the projects that match a condition on `project`, and all projects that they depend on. */
export function projectChain(at: PointInTime, starts: string, name = 'project_chain'): string {
  return `${name} as (
      select project.id, project.name, project.depends_on_id from ${rowsAt('project', at)} project where ${starts}
      union
      select project.id, project.name, project.depends_on_id
        from ${name} chain join ${rowsAt('project', at)} project on project.id = chain.depends_on_id)`;
}

/**
 * Selects the ids of projects that project $3 depended on at that time and no longer depends on. Grants on the project
 * no longer apply to them, so their own access control decides.
 */
export function formerDependenciesSql(at: PointInTime): string {
  if (at === 'now') return 'select null::uuid as id where false';
  const starts = 'project.id = $3::uuid';
  return `with recursive ${projectChain(at, starts, 'past')}, ${projectChain('now', starts, 'present')}
    select id from past where id not in (select id from present)`;
}

/**
 * Returns the CTE `environment_lineage`: the environments that match a condition on `environment`, and all of their ancestors.
 */
export function environmentLineage(at: PointInTime, starts: string): string {
  return `environment_lineage as (
      select environment.id, environment.parent_id from ${rowsAt('environment', at)} environment where ${starts}
      union
      select environment.id, environment.parent_id
        from environment_lineage lineage join ${rowsAt('environment', at)} environment on environment.id = lineage.parent_id)`;
}

/** Returns the CTE `owned_parameter`: the parameters of `project_chain` that match a condition on `parameter`. */
export function ownedParametersSql(at: PointInTime, condition: string): string {
  return `owned_parameter as materialized (
      select parameter.* from ${rowsAt('parameter', at)} parameter
       where parameter.project_id = any(array(select id from project_chain)) and ${condition})`;
}

/**
 * Selects the values of `owned_parameter`, either in the environments of `environment_lineage` or in all environments.
 */
export function selectValuesSql(at: PointInTime, environments: 'lineage' | 'all', columns: string): string {
  const narrowedSql =
    environments === 'lineage' ? 'join environment_lineage lineage on lineage.id = value.environment_id' : '';
  return `select ${columns} from ${rowsAt('value', at)} value ${narrowedSql}
      where value.parameter_id = any(array(select id from owned_parameter))`;
}

/** Selects the rules of the parameters in `owned_parameter`, sorted by kind. */
export function ownRules(at: PointInTime): string {
  return `select rule.id, rule.parameter_id as "parameterId", rule.kind as type, rule.constraint_text as "constraint", ${historyColumns('rule')}
        from ${rowsAt('parameter_rule', at)} rule
       where rule.parameter_id = any(array(select id from owned_parameter)) order by rule.kind`;
}

/** Selects the texts that refer to the parameters in `owned_parameter`: templates first, sorted by name. */
export function selectReferrers(at: PointInTime): string {
  return `select reference.target_parameter_id as "parameterId", coalesce(reference.template_id, reference.value_id) as "sourceId",
             coalesce(template.project_id, parameter.project_id) as "projectId", parameter.id as "ofParameterId",
             value.environment_id as "environmentId", coalesce(template.name, parameter.name) as name, project.name as "projectName"
        from ${rowsAt('reference', at)} reference
        left join ${rowsAt('template', at)} template on template.id = reference.template_id
        left join ${rowsAt('value', at)} value on value.id = reference.value_id
        left join ${rowsAt('parameter', at)} parameter on parameter.id = value.parameter_id
        left join ${rowsAt('project', at)} project on project.id = coalesce(template.project_id, parameter.project_id)
       where reference.target_parameter_id = any(array(select id from owned_parameter))
       order by template.name collate human, parameter.name collate human, reference.id`;
}

/** Returns the columns of a versioned row that describe its history. */
export function historyColumns(row: string): string {
  return `${row}.ledger_id, ${wireTimeSql(`${row}.created_at`)} as created_at, ${wireTimeSql(`${row}.modified_at`)} as modified_at`;
}

/** Returns SQL for the rows of a query as one JSON array. */
export function jsonList(query: string): string {
  return `(select coalesce(json_agg(record), '[]') from (${query}) record)`;
}
