import { dependentsSql, lateralJoin, referencesSql, selectDependencies } from './dependency-sql.ts';

const SEEDS = '(select id, null::uuid, null::text from unnest($3::uuid[]) id)';

/** SQL for the texts that the CTEs found, with their references. $2 is unused, because the present is read. */
const buildGraph = (walks: readonly string[]) => `,
  text_id as materialized (${walks.map((walk) => `select text_id as id from ${walk} where text_id is not null`).join(' union ')})
select
  (select coalesce(json_agg(json_build_object('sourceId', coalesce(value_id, template_id), 'kind', kind, 'projectId', project_id,
            'name', name, 'targetId', coalesce(target_parameter_id, target_template_id))), '[]')
     from (${referencesSql('select id from text_id', 'now')}) reference) as references,
  (select coalesce(json_agg(json_build_object('id', text_id.id, 'projectId', parameter.project_id, 'name', parameter.name)), '[]')
     from ${lateralJoin(
       'text_id',
       'select value.parameter_id, value.interpolated and value.text is not null as is_text from value where value.organization_id = $1 and value.id = text_id.id',
       'value',
     )} cross join lateral (
       select parameter.project_id, parameter.name from parameter where parameter.organization_id = $1 and parameter.id = value.parameter_id offset 0) parameter
    where value.is_text) as "dynamicValues",
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'dependsOnId', depends_on_id)), '[]')
     from project
    where organization_id = $1 and $2::bigint is null
      and id = any(array(${walks.map((walk) => `select project_id from ${walk}`).join(' union ')}))) as projects`;

/** Selects the dependencies and dependents of texts, and the references between them. $3 contains ids of texts. */
export const AROUND = `
with recursive
  ${selectDependencies(SEEDS, 'now')},
  ${dependentsSql(SEEDS)}${buildGraph(['needed', 'dependent'])}`;

/** Selects the dependencies of texts and the names of the parameters that they belong to. $3 contains ids of texts. */
export const NEEDED = `
with recursive
  ${selectDependencies(
    `(select id, null::uuid, null::text from unnest($3::uuid[]) id
      union all
      select null, parameter.project_id, parameter.name
        from ${lateralJoin('unnest($3::uuid[]) source(id)', 'select value.parameter_id from value where value.organization_id = $1 and value.id = source.id', 'value')}
       cross join lateral (
         select parameter.project_id, parameter.name from parameter where parameter.organization_id = $1 and parameter.id = value.parameter_id offset 0) parameter)`,
    'now',
  )}${buildGraph(['needed'])}`;
