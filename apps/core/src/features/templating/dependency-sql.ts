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
  return `select value.id, value.interpolated and value.text is not null as is_text from ${rowsAt('value', at)} value where value.parameter_id = ${parameter}`;
}

/**
 * Returns the CTE `needed (text_id, project_id, name)`: everything that some texts may depend on, directly or
 * transitively, including the names that they look up. `seeds` selects rows with these columns. Environments are
 * ignored, as in the check for reference cycles.
 */
export function selectDependencies(seeds: string, at: PointInTime): string {
  const mentionSql = (source: string) => `
      select reference.target_template_id, case when reference.kind <> 'template' then reference.project_id end, case when reference.kind <> 'template' then reference.name end
        from ${rowsAt('reference', at)} reference where ${hasKey(`reference.${source}`, 'needed.text_id')}`;
  const dependentTexts = (parameters: string) => `
      select value.id, null, null from ${lateralJoin(`(${parameters} offset 0) parameter`, selectTexts('parameter.id', at), 'value')} where value.is_text`;
  return `
  needed (text_id, project_id, name) as (
    ${seeds}
    union
    select needed_text.* from needed cross join lateral (
      ${mentionSql('value_id')}
      union all
      ${mentionSql('template_id')}
      union all
      select null, project.depends_on_id, needed.name from ${rowsAt('project', at)} project where ${hasKey('project.id', 'needed.project_id')} and project.depends_on_id is not null
      union all
      ${dependentTexts(`select parameter.id from ${rowsAt('parameter', at)} parameter where ${hasKey('parameter.project_id', 'needed.project_id')} and parameter.name = needed.name`)}
      union all
      ${dependentTexts(`select parameter.id from ${rowsAt('parameter', at)} parameter where needed.name = '' and ${hasKey('parameter.project_id', 'needed.project_id')}`)}) needed_text)`;
}

/**
 * Returns the CTE `dependent (text_id, project_id, name)`: everything that may depend on some texts or on the targets of
 * some names. This includes names in dependent projects, which inherit them.
 */
export function dependentsSql(seeds: string, at: PointInTime = 'now'): string {
  return `
  dependent (text_id, project_id, name) as (
    ${seeds}
    union
    select needed_text.* from dependent cross join lateral (
      select coalesce(reference.value_id, reference.template_id), null::uuid, null::text
        from ${rowsAt('reference', at)} reference
       where ${hasKey('reference.project_id', 'dependent.project_id')} and reference.name = any(array[dependent.name, '']) and reference.kind <> 'template'
      union all
      select coalesce(reference.value_id, reference.template_id), null, null
        from ${rowsAt('reference', at)} reference where ${hasKey('reference.target_template_id', 'dependent.text_id')}
      union all
      select null, project.id, dependent.name from ${rowsAt('project', at)} project where ${hasKey('project.depends_on_id', 'dependent.project_id')}
      union all
      select null, parameter.project_id, parameter.name
        from ${lateralJoin(
          `(select value.parameter_id, value.interpolated and value.text is not null as is_text from ${rowsAt('value', at)} value where ${hasKey('value.id', 'dependent.text_id')} offset 0) value`,
          `select parameter.project_id, parameter.name from ${rowsAt('parameter', at)} parameter where parameter.id = value.parameter_id`,
          'parameter',
        )} where value.is_text) needed_text)`;
}

/** Returns SQL for the references of the texts whose ids `ids` selects. */
export function referencesSql(ids: string, at: PointInTime): string {
  const selectFrom = (source: string) =>
    `select reference.* from ${lateralJoin(`(${ids}) source(id)`, `select reference.* from ${rowsAt('reference', at)} reference where reference.${source} = source.id`, 'reference')}`;
  return `${selectFrom('value_id')} union all ${selectFrom('template_id')}`;
}

/**
 * Returns a SQL expression that is true if any text refers to the name in a project, or to all names. If it is false,
 * nothing depends on the name. Following the references would have the same result at several times the cost. Requires
 * the CTE of `projectsBelowEach`.
 */
export function mentionedSql(projectId: string, name: string): string {
  return `exists (
    select from below
     cross join lateral (
       select from reference
        where reference.organization_id = $1 and reference.project_id = below.id and reference.name = any(array[${name}, '']) and reference.kind <> 'template' offset 0) reference
     where below.root = ${projectId})`;
}

/** Returns the CTE `below (root, id)`: each root project with itself and all of its dependents. */
export function projectsBelowEach(roots: string): string {
  return `
  below (root, id) as (
    select id, id from (${roots}) root(id)
    union
    select below.root, project.id from ${lateralJoin('below', 'select project.id from project where project.organization_id = $1 and project.depends_on_id = below.id', 'project')})`;
}

/** Returns the CTE `below (id)`: projects and all of their dependents. */
export function projectsBelow(seeds: string): string {
  return `
  below (id) as (
    ${seeds}
    union
    select project.id from ${lateralJoin('below', 'select project.id from project where project.organization_id = $1 and project.depends_on_id = below.id', 'project')})`;
}
