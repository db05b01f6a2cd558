import { type PointInTime, rowsAt } from '../../platform/database/versioned-table.ts';

/*
 * Walks through what texts refer to, as parts of recursive statements. Each step looks its rows up in an index, whatever
 * PostgreSQL believes of recursive queries: a walk costs what it reaches, not what the organization has. A row is either
 * a text (a dynamic value or a template) or a place, that is a name in the scope of a project; the empty name is all names.
 */

/**
 * `needed (text_id, project_id, name)`: what some texts may need, directly or through others, the places where names are
 * looked up included. `seeds` selects rows of that form. It asks for no environment, like the rule against loops.
 */
export function neededFrom(seeds: string, at: PointInTime): string {
  return `
  needed (text_id, project_id, name) as (
    ${seeds}
    union
    select n.* from needed q cross join lateral (
      select r.target_template_id, case when r.kind <> 'template' then r.project_id end, case when r.kind <> 'template' then r.name end
        from ${rowsAt('reference', at)} r where r.value_id = q.text_id or r.template_id = q.text_id
      union all
      select null, p.depends_on_id, q.name from ${rowsAt('project', at)} p where p.id = q.project_id and p.depends_on_id is not null
      union all
      select v.id, null, null
        from ${rowsAt('parameter', at)} x
       cross join lateral (select v.id from ${rowsAt('value', at)} v
                            where v.parameter_id = x.id and v.interpolated and v.text is not null offset 0) v
       where x.project_id = q.project_id and x.name = q.name
      union all
      select v.id, null, null
        from ${rowsAt('parameter', at)} x
       cross join lateral (select v.id from ${rowsAt('value', at)} v
                            where v.parameter_id = x.id and v.interpolated and v.text is not null offset 0) v
       where q.name = '' and x.project_id = q.project_id) n)`;
}

/**
 * `dependent (text_id, project_id, name)`: the other way, which texts may need some texts or what some places lead to, as
 * things are now. A name of a project is looked up by the projects that depend on it, too.
 */
export function dependentsOf(seeds: string): string {
  return `
  dependent (text_id, project_id, name) as (
    ${seeds}
    union
    select n.* from dependent q cross join lateral (
      select coalesce(r.value_id, r.template_id), null::uuid, null::text
        from reference r
       where r.organization_id = $1 and r.project_id = q.project_id and r.name = any(array[q.name, '']) and r.kind <> 'template'
      union all
      select coalesce(r.value_id, r.template_id), null, null
        from reference r where r.organization_id = $1 and r.target_template_id = q.text_id
      union all
      select null, p.id, q.name from project p where p.organization_id = $1 and p.depends_on_id = q.project_id
      union all
      select null, x.project_id, x.name
        from value v join parameter x on x.organization_id = $1 and x.id = v.parameter_id
       where v.organization_id = $1 and v.id = q.text_id and v.interpolated and v.text is not null) n)`;
}

/**
 * Whether any text says the name of a project, or all names: an expression. Where it is false nothing depends on what
 * the name stands for, which the first step of the walk would find out at several times the cost.
 */
export function isMentioned(projectId: string, name: string): string {
  return `exists (
    with recursive ${projectsBelow(`select ${projectId}`)}
    select from below b
     cross join lateral (
       select from reference r
        where r.organization_id = $1 and r.project_id = b.id and r.name = any(array[${name}, '']) and r.kind <> 'template' offset 0) r)`;
}

/** `below (id)`: projects, and all that depend on them. */
export function projectsBelow(seeds: string): string {
  return `
  below (id) as (
    ${seeds}
    union
    select p.id from below b cross join lateral (
      select p.id from project p where p.organization_id = $1 and p.depends_on_id = b.id offset 0) p)`;
}
