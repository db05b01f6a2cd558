import { type PointInTime, rowsAt, wireTime } from '../../platform/postgres/versioned-table.ts';

/*
 * Parts that statements about configuration are composed of: common table expressions and sets of rows. $1 is the organization,
 * $2 the revision. Ids travel as arrays between the parts: PostgreSQL then looks each up in an index, however large the
 * tables are and whatever it believes of recursive queries. `union` drops what is met twice, so corrupt data cannot make them
 * run forever. Which row comes first is the resolver's business.
 */

/** `<name>`: the projects that a condition on `p` finds, and all that they depend on. */
export function projectChain(at: PointInTime, starts: string, name = 'project_chain'): string {
  return `${name} as (
      select p.id, p.name, p.depends_on_id from ${rowsAt('project', at)} p where ${starts}
      union
      select p.id, p.name, p.depends_on_id
        from ${name} c join ${rowsAt('project', at)} p on p.id = c.depends_on_id)`;
}

/**
 * The ids of what project $3 depended on then, and does not any more: nobody who lets others into it now has that in mind, so
 * their own access decides.
 */
export function projectsOutsideChain(at: PointInTime): string {
  if (at === 'now') return 'select null::uuid as id where false';
  const starts = 'p.id = $3::uuid';
  return `with recursive ${projectChain(at, starts, 'past')}, ${projectChain('now', starts, 'present')}
    select id from past where id not in (select id from present)`;
}

/** `environment_lineage`: the environments that a condition on `e` finds, and all that they inherit from. */
export function environmentLineage(at: PointInTime, starts: string): string {
  return `environment_lineage as (
      select e.id, e.parent_id from ${rowsAt('environment', at)} e where ${starts}
      union
      select e.id, e.parent_id
        from environment_lineage l join ${rowsAt('environment', at)} e on e.id = l.parent_id)`;
}

/** `owned_parameter`: the parameters of `project_chain` that satisfy a condition on `x`. */
export function ownedParameters(at: PointInTime, condition: string): string {
  return `owned_parameter as materialized (
      select x.* from ${rowsAt('parameter', at)} x
       where x.project_id = any(array(select id from project_chain)) and ${condition})`;
}

/** The values of `owned_parameter`, in the environments of `environment_lineage` or in all. */
export function valuesIn(at: PointInTime, environments: 'lineage' | 'all', columns: string): string {
  const narrowed = environments === 'lineage' ? 'join environment_lineage l on l.id = v.environment_id' : '';
  return `select ${columns} from ${rowsAt('value', at)} v ${narrowed}
      where v.parameter_id = any(array(select id from owned_parameter))`;
}

/** The rules that the parameters of `owned_parameter` have themselves, by kind. */
export function ownRules(at: PointInTime): string {
  return `select r.id, r.parameter_id as "parameterId", r.kind as type, r.constraint_text as "constraint", ${stampsOf('r')}
        from ${rowsAt('parameter_rule', at)} r
       where r.parameter_id = any(array(select id from owned_parameter)) order by r.kind`;
}

/** The texts that refer to the parameters of `owned_parameter`: templates first, by name. */
export function referrersOf(at: PointInTime): string {
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

/** What every versioned row shows of its own history. */
export function stampsOf(row: string): string {
  return `${row}.ledger_id, ${wireTime(`${row}.created_at`)} as created_at, ${wireTime(`${row}.modified_at`)} as modified_at`;
}

/** The rows of a query as one JSON list. */
export function jsonList(query: string): string {
  return `(select coalesce(json_agg(r), '[]') from (${query}) r)`;
}
