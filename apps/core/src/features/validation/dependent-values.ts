import type { ParameterId, ProjectId, Rule, Uuid, ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { lateralJoin, selectDependents } from '../templating/dependency-sql.ts';
import type { DependencyChange } from './inputs.ts';

/** A dynamic value whose text is restricted by a type or by rules. */
export interface ConstrainedValue {
  readonly id: ValueId;
  readonly parameterId: ParameterId;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly typeId: Uuid;
  /** The rules of the parameter itself, without those of its type. */
  readonly rules: readonly Rule[];
}

/**
 * Returns SQL for the restricted dynamic values among those that `ids` selects. Values that accept any text are left
 * out.
 */
const constrainedAmong = (walk: string, ids: string) => `
with recursive
  unconstrained (id) as (
    select t.id from parameter_type t where t.organization_id = $1 and t.parent_id is null and t.name = 'string'
    union
    select t.id from ${lateralJoin(
      'unconstrained f',
      `select t.id from parameter_type t
        where t.organization_id = $1 and t.parent_id = f.id
          and not exists (select from parameter_type_rule r where r.organization_id = $1 and r.type_id = t.id)`,
      't',
    )})${walk}
select i.id, x.id as "parameterId", x.name, x.project_id as "projectId", p.name as project, x.type_id as "typeId", r.rules
  from (${ids}) i(id)
 cross join lateral (select v.parameter_id, v.interpolated and v.text is not null as is_text
                       from value v where v.organization_id = $1 and v.id = i.id offset 0) v
 cross join lateral (select x.* from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x
 cross join lateral (
   select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]') as rules
     from parameter_rule r where r.organization_id = $1 and r.parameter_id = x.id) r
 cross join lateral (select p.name from project p where p.organization_id = $1 and p.id = x.project_id offset 0) p
 where v.is_text and (x.type_id not in (select id from unconstrained) or json_array_length(r.rules) > 0)
 order by p.name, x.name, i.id`;

/**
 * Returns SQL for the dependents of the rows that `seeds` selects. With `uncovers`, it also selects the values of these
 * names, which may have become effective.
 */
const depending = (seeds: string, uncovers: string) =>
  constrainedAmong(
    `,
  ${selectDependents(`(${seeds})`)}`,
    `select text_id from dependent where text_id is not null
   union
   select v.id from ${lateralJoin(
     'dependent d',
     'select x.id from parameter x where x.organization_id = $1 and x.project_id = d.project_id and x.name = d.name',
     'x',
   )} cross join lateral (
     select v.id from value v where v.organization_id = $1 and v.parameter_id = x.id offset 0) v
    where ${uncovers}`,
  );

/** $2 is a project, $3 contains names, $4 is a template, and $5 is whether values may have become effective. */
const DEPENDENT = depending(
  `select null::uuid, $2::uuid, name from unnest($3::text[]) name
   union all select $4::uuid, null, null where $4 is not null`,
  '$5::boolean',
);
/** $2 contains names with their projects, $3 contains templates. */
const DEPENDENT_ON_NAMES = depending(
  `select null::uuid, p.project_id, p.name from jsonb_to_recordset($2::jsonb) p(project_id uuid, name text)
   union all select id, null, null from unnest($3::uuid[]) id`,
  'true',
);
/** $2 is a project. $3 contains the projects that it started or stopped inheriting from. */
const SEEING = depending(
  `select null::uuid, $2::uuid, x.name
     from ${lateralJoin(
       'unnest($3::uuid[]) p(id)',
       'select x.name from parameter x where x.organization_id = $1 and x.project_id = p.id',
       'x',
     )}`,
  'true',
);
/** $2 contains the environments that values are inherited from now, or were before. */
const SET_IN = depending(
  `select null::uuid, x.project_id, x.name
     from ${lateralJoin(
       'unnest($2::uuid[]) e(id)',
       'select v.parameter_id from value v where v.organization_id = $1 and v.environment_id = e.id',
       'v',
     )} cross join lateral (
       select x.project_id, x.name from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x`,
  'true',
);
/** $2 contains ids of values. */
const AMONG = constrainedAmong('', 'select unnest($2::uuid[])');

/** Returns the values whose evaluated text may have changed. Runs one statement. */
export async function dependentValues(
  em: EntityManager,
  { organizationId }: Caller,
  change: DependencyChange,
): Promise<readonly ConstrainedValue[]> {
  const select = (sql: string, ...rest: readonly unknown[]) =>
    em.query<ConstrainedValue[]>(sql, [organizationId, ...rest]);
  switch (change.kind) {
    case 'names':
      return select(DEPENDENT, change.projectId, change.names, null, change.uncovers ?? false);
    case 'places': {
      const names = change.places.map(({ projectId, name }) => ({ project_id: projectId, name }));
      return select(DEPENDENT_ON_NAMES, JSON.stringify(names), change.templateIds);
    }
    case 'template':
      return select(DEPENDENT, null, [], change.templateId, false);
    case 'project_moved':
      return select(SEEING, change.projectId, change.exchanged);
    case 'environment_moved':
      return select(SET_IN, change.exchanged);
    case 'new_values':
      return change.valueIds.length === 0 ? [] : select(AMONG, change.valueIds);
  }
}
