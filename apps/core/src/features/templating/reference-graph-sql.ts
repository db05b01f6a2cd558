import { lateralJoin, selectDependencies, selectDependents, selectReferences } from './dependency-sql.ts';

const SEEDS = '(select id, null::uuid, null::text from unnest($3::uuid[]) id)';

/** SQL for the texts that the CTEs found, with their references. $2 is unused, because the present is read. */
const buildGraph = (walks: readonly string[]) => `,
  text_id as materialized (${walks.map((walk) => `select text_id as id from ${walk} where text_id is not null`).join(' union ')})
select
  (select coalesce(json_agg(json_build_object('sourceId', coalesce(value_id, template_id), 'kind', kind, 'projectId', project_id,
            'name', name, 'targetId', coalesce(target_parameter_id, target_template_id))), '[]')
     from (${selectReferences('select id from text_id', 'now')}) r) as references,
  (select coalesce(json_agg(json_build_object('id', i.id, 'projectId', x.project_id, 'name', x.name)), '[]')
     from ${lateralJoin(
       'text_id i',
       'select v.parameter_id, v.interpolated and v.text is not null as is_text from value v where v.organization_id = $1 and v.id = i.id',
       'v',
     )} cross join lateral (
       select x.project_id, x.name from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x
    where v.is_text) as "dynamicValues",
  (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'dependsOnId', depends_on_id)), '[]')
     from project
    where organization_id = $1 and $2::bigint is null
      and id = any(array(${walks.map((walk) => `select project_id from ${walk}`).join(' union ')}))) as projects`;

/** Selects the dependencies and dependents of texts, and the references between them. $3 contains ids of texts. */
export const AROUND = `
with recursive
  ${selectDependencies(SEEDS, 'now')},
  ${selectDependents(SEEDS)}${buildGraph(['needed', 'dependent'])}`;

/** Selects the dependencies of texts and the names of the parameters that they belong to. $3 contains ids of texts. */
export const NEEDED = `
with recursive
  ${selectDependencies(
    `(select id, null::uuid, null::text from unnest($3::uuid[]) id
      union all
      select null, x.project_id, x.name
        from ${lateralJoin('unnest($3::uuid[]) i(id)', 'select v.parameter_id from value v where v.organization_id = $1 and v.id = i.id', 'v')}
       cross join lateral (
         select x.project_id, x.name from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x)`,
    'now',
  )}${buildGraph(['needed'])}`;
