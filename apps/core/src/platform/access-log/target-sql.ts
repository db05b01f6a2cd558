/**
 * SQL that finds the objects of a `RequestTarget` in the organization `o`. `r` has the texts of the target. Returns the
 * project as `j`, the environment as `e`, the template as `m`, the value as `v` and the parameter as `x`.
 */
export const TARGETS = `
  left join lateral (select id, name from project
        where organization_id = o.id and (id::text = lower(r.project) or name = r.project)
        order by (id::text = lower(r.project)) desc limit 1) j on true
  left join lateral (select id, name from environment
        where organization_id = o.id and (id::text = lower(r.environment) or name = r.environment)
        order by (id::text = lower(r.environment)) desc limit 1) e on true
  left join template m on m.organization_id = o.id and m.id::text = lower(r.template)
  left join value v on v.organization_id = o.id and v.id::text = lower(r.value)
  left join lateral (
    with recursive chain as (
      select p.id, p.depends_on_id, 0 as distance from project p where p.organization_id = o.id and p.id = j.id
      union all
      select p.id, p.depends_on_id, c.distance + 1 from chain c
        join project p on p.organization_id = o.id and p.id = c.depends_on_id)
    select y.id, y.name, 0 as distance from parameter y
     where y.organization_id = o.id and (y.id = v.parameter_id or y.id::text = lower(r.parameter))
    union all
    select y.id, y.name, c.distance from chain c
      join parameter y on y.organization_id = o.id and y.project_id = c.id and y.name = r.name
    order by distance limit 1) x on true`;
