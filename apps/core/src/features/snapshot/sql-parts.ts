import { type PointInTime, rowsAt } from '../../platform/database/versioned-table.ts';

/**
 * Parts that statements about configuration are composed of, each the body of a common table expression. $1 is the
 * organization, $2 the revision. Ids travel as arrays between them: PostgreSQL then looks each up in an index, however large
 * the tables are and whatever it believes of recursive queries. `union` drops what is met twice, so corrupt data cannot
 * make them run forever; which of the rows comes first is the resolver's business.
 */

/** `project_chain`: the projects that a condition on `p` names, and all that they depend on. */
export function projectChain(at: PointInTime, starts: string): string {
  return `project_chain as (
      select p.id, p.name, p.depends_on_id from ${rowsAt('project', at)} p where ${starts}
      union
      select p.id, p.name, p.depends_on_id
        from project_chain c join ${rowsAt('project', at)} p on p.id = c.depends_on_id)`;
}

/** `environment_lineage`: the environments that a condition on `e` names, and all that they inherit from. */
export function environmentLineage(at: PointInTime, starts: string): string {
  return `environment_lineage as (
      select e.id, e.parent_id from ${rowsAt('environment', at)} e where ${starts}
      union
      select e.id, e.parent_id
        from environment_lineage l join ${rowsAt('environment', at)} e on e.id = l.parent_id)`;
}

/** `owned_parameter`: the parameters of `project_chain` that satisfy a condition on `x`. */
export function ownedParameters(at: PointInTime, condition = 'true'): string {
  return `owned_parameter as materialized (
      select x.* from ${rowsAt('parameter', at)} x
       where x.project_id = any(array(select id from project_chain)) and ${condition})`;
}

/** The values of `owned_parameter`, in the environments of `environment_lineage` or in all: rows of `value`. */
export function valuesIn(at: PointInTime, environments: 'lineage' | 'all'): string {
  const narrowed = environments === 'lineage' ? 'join environment_lineage l on l.id = v.environment_id' : '';
  return `(select v.* from ${rowsAt('value', at)} v ${narrowed}
      where v.parameter_id = any(array(select id from owned_parameter)))`;
}
