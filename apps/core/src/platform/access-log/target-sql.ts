/**
 * SQL that finds the objects of a `RequestTarget` in the row `organization`. `record` has the texts of the target. Returns the
 * rows `project`, `environment`, `template`, `value` and `parameter`.
 */
export const TARGETS = `
  left join lateral (select id, name from project
        where organization_id = organization.id and (id::text = lower(record.project) or name = record.project)
        order by (id::text = lower(record.project)) desc limit 1) project on true
  left join lateral (select id, name from environment
        where organization_id = organization.id and (id::text = lower(record.environment) or name = record.environment)
        order by (id::text = lower(record.environment)) desc limit 1) environment on true
  left join template on template.organization_id = organization.id and template.id::text = lower(record.template)
  left join value on value.organization_id = organization.id and value.id::text = lower(record.value)
  left join lateral (
    with recursive chain as (
      select ancestor.id, ancestor.depends_on_id, 0 as distance from project ancestor where ancestor.organization_id = organization.id and ancestor.id = project.id
      union all
      select ancestor.id, ancestor.depends_on_id, chain.distance + 1 from chain
        join project ancestor on ancestor.organization_id = organization.id and ancestor.id = chain.depends_on_id)
    select candidate.id, candidate.name, 0 as distance from parameter candidate
     where candidate.organization_id = organization.id and (candidate.id = value.parameter_id or candidate.id::text = lower(record.parameter))
    union all
    select candidate.id, candidate.name, chain.distance from chain
      join parameter candidate on candidate.organization_id = organization.id and candidate.project_id = chain.id and candidate.name = record.name
    order by distance limit 1) parameter on true`;
