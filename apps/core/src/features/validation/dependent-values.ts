import type { ParameterId, ProjectId, Rule, Uuid, ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { dependentsSql, lateralJoin } from '../templating/dependency-sql.ts';
import type { DependencyChange } from './validation-inputs.ts';

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
const constrainedAmong = (furtherTables: string, ids: string) => `
with recursive
  unconstrained (id) as (
    select type.id from parameter_type type where type.organization_id = $1 and type.parent_id is null and type.name = 'string'
    union
    select type.id from ${lateralJoin(
      'unconstrained',
      `select type.id from parameter_type type
        where type.organization_id = $1 and type.parent_id = unconstrained.id
          and not exists (select from parameter_type_rule rule where rule.organization_id = $1 and rule.type_id = type.id)`,
      'type',
    )})${furtherTables}
select input.id, parameter.id as "parameterId", parameter.name, parameter.project_id as "projectId", project.name as project, parameter.type_id as "typeId", rules.rules
  from (${ids}) input(id)
 cross join lateral (select value.parameter_id, value.interpolated and value.text is not null as is_text
                       from value where value.organization_id = $1 and value.id = input.id offset 0) value
 cross join lateral (select parameter.* from parameter where parameter.organization_id = $1 and parameter.id = value.parameter_id offset 0) parameter
 cross join lateral (
   select coalesce(json_agg(json_build_object('kind', rules.kind, 'constraint', rules.constraint_text) order by rules.kind), '[]') as rules
     from parameter_rule rules where rules.organization_id = $1 and rules.parameter_id = parameter.id) rules
 cross join lateral (select project.name from project where project.organization_id = $1 and project.id = parameter.project_id offset 0) project
 where value.is_text and (parameter.type_id not in (select id from unconstrained) or json_array_length(rules.rules) > 0)
 order by project.name, parameter.name, input.id`;

/**
 * Returns SQL for the dependents of the rows that `seeds` selects. With `uncovers`, it also selects the values of these
 * names, which may have become effective.
 */
const depending = (seeds: string, uncovers: string) =>
  constrainedAmong(
    `,
  ${dependentsSql(`(${seeds})`)}`,
    `select text_id from dependent where text_id is not null
   union
   select value.id from ${lateralJoin(
     'dependent',
     'select parameter.id from parameter where parameter.organization_id = $1 and parameter.project_id = dependent.project_id and parameter.name = dependent.name',
     'parameter',
   )} cross join lateral (
     select value.id from value where value.organization_id = $1 and value.parameter_id = parameter.id offset 0) value
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
  `select null::uuid, changed.project_id, changed.name from jsonb_to_recordset($2::jsonb) changed(project_id uuid, name text)
   union all select id, null, null from unnest($3::uuid[]) id`,
  'true',
);
/** $2 is a project. $3 contains the projects that it started or stopped inheriting from. */
const SEEING = depending(
  `select null::uuid, $2::uuid, parameter.name
     from ${lateralJoin(
       'unnest($3::uuid[]) ancestor(id)',
       'select parameter.name from parameter where parameter.organization_id = $1 and parameter.project_id = ancestor.id',
       'parameter',
     )}`,
  'true',
);
/** $2 contains the environments that values are inherited from now, or were before. */
const SET_IN = depending(
  `select null::uuid, parameter.project_id, parameter.name
     from ${lateralJoin(
       'unnest($2::uuid[]) ancestor(id)',
       'select value.parameter_id from value where value.organization_id = $1 and value.environment_id = ancestor.id',
       'value',
     )} cross join lateral (
       select parameter.project_id, parameter.name from parameter where parameter.organization_id = $1 and parameter.id = value.parameter_id offset 0) parameter`,
  'true',
);
/** $2 contains ids of values. */
const AMONG = constrainedAmong('', 'select unnest($2::uuid[])');

/** Returns the values whose evaluated text may have changed. Runs one statement. */
export async function findDependentValues(
  em: EntityManager,
  { organizationId }: Caller,
  change: DependencyChange,
): Promise<readonly ConstrainedValue[]> {
  const select = (sql: string, ...restParameters: readonly unknown[]) =>
    em.query<ConstrainedValue[]>(sql, [organizationId, ...restParameters]);
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
