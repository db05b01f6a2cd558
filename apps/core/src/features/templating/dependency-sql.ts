import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';

/**
 * Builds parts of recursive SQL statements that follow the references of texts. A row is either a text (a dynamic value
 * or a template) or a name in the scope of a project; an empty name stands for all names.
 *
 * The cost of a statement depends on the number of rows that it reaches, and not on the size of the organization.
 * PostgreSQL plans a prepared statement only once, perhaps while the tables are empty and every access path looks
 * equally good. The statements therefore look up each row on its own, by a single key; `offset 0` prevents PostgreSQL
 * from merging these lookups. A lookup by null is skipped, because such a plan would read the whole table for it.
 */

/** Returns a SQL condition for a lookup by a key that may be null. */
const hasKey = (column: string, key: string) => `${key} is not null and ${column} = ${key}`;

/** Returns SQL that runs `select` once for each row of `rows`. */
export function lateralJoin(rows: string, select: string, alias: string): string {
  return `${rows} cross join lateral (${select} offset 0) ${alias}`;
}

/** Returns SQL for the values of a parameter, and whether each of them is dynamic. */
function selectTexts(parameter: string, at: PointInTime): string {
  return `select v.id, v.interpolated and v.text is not null as is_text from ${rowsAt('value', at)} v where v.parameter_id = ${parameter}`;
}

/**
 * Returns the CTE `needed (text_id, project_id, name)`: everything that some texts may depend on, directly or
 * transitively, including the names that they look up. `seeds` selects rows with these columns. Environments are
 * ignored, as in the check for reference cycles.
 */
export function selectDependencies(seeds: string, at: PointInTime): string {
  const mentioned = (source: string) => `
      select r.target_template_id, case when r.kind <> 'template' then r.project_id end, case when r.kind <> 'template' then r.name end
        from ${rowsAt('reference', at)} r where ${hasKey(`r.${source}`, 'q.text_id')}`;
  const dependentTexts = (parameters: string) => `
      select v.id, null, null from ${lateralJoin(`(${parameters} offset 0) x`, selectTexts('x.id', at), 'v')} where v.is_text`;
  return `
  needed (text_id, project_id, name) as (
    ${seeds}
    union
    select n.* from needed q cross join lateral (
      ${mentioned('value_id')}
      union all
      ${mentioned('template_id')}
      union all
      select null, p.depends_on_id, q.name from ${rowsAt('project', at)} p where ${hasKey('p.id', 'q.project_id')} and p.depends_on_id is not null
      union all
      ${dependentTexts(`select x.id from ${rowsAt('parameter', at)} x where ${hasKey('x.project_id', 'q.project_id')} and x.name = q.name`)}
      union all
      ${dependentTexts(`select x.id from ${rowsAt('parameter', at)} x where q.name = '' and ${hasKey('x.project_id', 'q.project_id')}`)}) n)`;
}

/**
 * Returns the CTE `dependent (text_id, project_id, name)`: everything that may depend on some texts or on the targets of
 * some names. This includes names in dependent projects, which inherit them.
 */
export function selectDependents(seeds: string, at: PointInTime = 'now'): string {
  return `
  dependent (text_id, project_id, name) as (
    ${seeds}
    union
    select n.* from dependent q cross join lateral (
      select coalesce(r.value_id, r.template_id), null::uuid, null::text
        from ${rowsAt('reference', at)} r
       where ${hasKey('r.project_id', 'q.project_id')} and r.name = any(array[q.name, '']) and r.kind <> 'template'
      union all
      select coalesce(r.value_id, r.template_id), null, null
        from ${rowsAt('reference', at)} r where ${hasKey('r.target_template_id', 'q.text_id')}
      union all
      select null, p.id, q.name from ${rowsAt('project', at)} p where ${hasKey('p.depends_on_id', 'q.project_id')}
      union all
      select null, x.project_id, x.name
        from ${lateralJoin(
          `(select v.parameter_id, v.interpolated and v.text is not null as is_text from ${rowsAt('value', at)} v where ${hasKey('v.id', 'q.text_id')} offset 0) v`,
          `select x.project_id, x.name from ${rowsAt('parameter', at)} x where x.id = v.parameter_id`,
          'x',
        )} where v.is_text) n)`;
}

/** Returns SQL for the references of the texts whose ids `ids` selects. */
export function selectReferences(ids: string, at: PointInTime): string {
  const of = (source: string) =>
    `select r.* from ${lateralJoin(`(${ids}) i(id)`, `select r.* from ${rowsAt('reference', at)} r where r.${source} = i.id`, 'r')}`;
  return `${of('value_id')} union all ${of('template_id')}`;
}

/**
 * Returns a SQL expression that is true if any text refers to the name in a project, or to all names. If it is false,
 * nothing depends on the name. Following the references would have the same result at several times the cost. Requires
 * the CTE of `projectsBelowEach`.
 */
export function isMentioned(projectId: string, name: string): string {
  return `exists (
    select from below b
     cross join lateral (
       select from reference r
        where r.organization_id = $1 and r.project_id = b.id and r.name = any(array[${name}, '']) and r.kind <> 'template' offset 0) r
     where b.root = ${projectId})`;
}

/** Returns the CTE `below (root, id)`: each root project with itself and all of its dependents. */
export function projectsBelowEach(roots: string): string {
  return `
  below (root, id) as (
    select id, id from (${roots}) r(id)
    union
    select b.root, p.id from ${lateralJoin('below b', 'select p.id from project p where p.organization_id = $1 and p.depends_on_id = b.id', 'p')})`;
}

/** Returns the CTE `below (id)`: projects and all of their dependents. */
export function projectsBelow(seeds: string): string {
  return `
  below (id) as (
    ${seeds}
    union
    select p.id from ${lateralJoin('below b', 'select p.id from project p where p.organization_id = $1 and p.depends_on_id = b.id', 'p')})`;
}
