import { type AuditAction, type NamedObject, type OrganizationId, type RevertibleType } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Change } from '../../platform/ledger/change.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import type { RevertRow } from './reverted-rows.ts';

interface NameRow extends NamedObject {
  readonly project_id: string | null;
}

/** $1 is the organization, $2 contains ids of objects. */
const placesIn = (suffix: string) => `
select id, name, null::uuid as project_id, revision from environment${suffix} where organization_id = $1 and id = any($2::uuid[])
union all select id, name, null, revision from project${suffix} where organization_id = $1 and id = any($2::uuid[])
union all select id, name, null, revision from parameter_type${suffix} where organization_id = $1 and id = any($2::uuid[])
union all select id, name, project_id, revision from parameter${suffix} where organization_id = $1 and id = any($2::uuid[])`;
const PRESENT = placesIn('');
const GONE = `select distinct on (id) id, name, project_id from (${placesIn('_history')}) version order by id, revision desc`;

/** The current names of objects, and the last names of deleted objects. */
export class ObjectNameReader {
  private constructor(private readonly rows: ReadonlyMap<string, NameRow>) {}

  /** Loads the names of some rows and of the objects that contain them. */
  static async of(
    em: EntityManager,
    organizationId: OrganizationId,
    rows: Iterable<RevertRow>,
  ): Promise<ObjectNameReader> {
    const nameRows = new Map<string, NameRow>();
    const ids = new Set<string>();
    for (const row of rows) {
      const { id, name, project_id: projectId = null } = row;
      if (name !== undefined) {
        nameRows.set(id, { id, name, project_id: projectId });
        ids.add(id);
      }
      for (const id of [row.project_id, row.parameter_id, row.environment_id, row.type_id]) if (id) ids.add(id);
    }
    await loadNames(em, organizationId, nameRows, [...ids]);
    // The rows refer to parameters without containing their projects, so the projects are looked up separately.
    const owners = new Set([...nameRows.values()].flatMap(({ project_id: id }) => id ?? []));
    await loadNames(
      em,
      organizationId,
      nameRows,
      [...owners].filter((id) => !ids.has(id)),
    );
    return new ObjectNameReader(nameRows);
  }

  /**
   * Returns the change of an object. `isContained` means that the object was created or deleted together with its
   * container.
   */
  change(action: AuditAction, type: RevertibleType, row: RevertRow, isContained: boolean): Change {
    const change = this.audible(action, type, row);
    // The event of the container already announces this change.
    const isSilent = isContained && (action === 'delete' || type === 'ParameterRule');
    return isSilent ? { ...change, eventType: null } : change;
  }

  private audible(action: AuditAction, type: RevertibleType, row: RevertRow): Change {
    const { id } = row;
    const name = row.name ?? row.kind ?? '';
    switch (type) {
      case 'Parameter':
      case 'Template':
        return objectChange(action, type, { id, name }, { project: this.namedObject(row.project_id) });
      case 'ParameterRule':
      case 'Value': {
        const parameter = this.namedObject(row.parameter_id);
        const project = this.namedObject(this.rows.get(parameter.id)?.project_id);
        if (type === 'ParameterRule') return objectChange(action, type, { id, name }, { project, parameter });
        const environment = this.namedObject(row.environment_id);
        return objectChange(action, type, { id, name: parameter.name }, { project, environment, parameter });
      }
      default:
        return objectChange(action, type, { id, name }, {});
    }
  }

  /** Returns a noun phrase for an object, for use in messages. */
  title(type: RevertibleType, row: RevertRow): string {
    const { object, project, environment } = this.audible('update', type, row);
    switch (type) {
      case 'Value':
        return `the value of ${object.name} of ${project?.name ?? ''} in ${environment?.name ?? ''}`;
      case 'Parameter':
      case 'Template':
        return `the ${type.toLowerCase()} ${object.name} of ${project?.name ?? ''}`;
      case 'ParameterRule':
        return `the rule ${object.name} of parameter ${this.namedObject(row.parameter_id).name}`;
      case 'ParameterTypeRule':
        return `the rule ${object.name} of type ${this.namedObject(row.type_id).name}`;
      case 'ParameterType':
        return `the type ${object.name}`;
      default:
        return `the ${type.toLowerCase()} ${object.name}`;
    }
  }

  /** Returns the project of a parameter, or null if the id is not that of a parameter. */
  projectOf(parameterId: string | undefined): string | null {
    return this.rows.get(parameterId ?? '')?.project_id ?? null;
  }

  namedObject(id: string | null | undefined): NamedObject {
    return { id: id ?? '', name: this.rows.get(id ?? '')?.name ?? '' };
  }
}

async function loadNames(
  em: EntityManager,
  organizationId: OrganizationId,
  rows: Map<string, NameRow>,
  ids: readonly string[],
) {
  if (ids.length === 0) return;
  for (const row of await em.query<NameRow[]>(PRESENT, [organizationId, ids])) rows.set(row.id, row);
  const missingIds = ids.filter((id) => !rows.has(id));
  if (missingIds.length === 0) return;
  for (const row of await em.query<NameRow[]>(GONE, [organizationId, missingIds])) rows.set(row.id, row);
}

interface TitleRow {
  readonly id: string;
  readonly title: string;
  readonly project_id: string | null;
  readonly environment_id: string | null;
}

/**
 * Returns the titles of objects that conflict with a revert, with the scopes that contain them. The caller must be able
 * to read a scope to see the title.
 */
export async function readTitles(
  em: EntityManager,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<readonly TitleRow[]> {
  if (ids.length === 0) return [];
  return em.query<TitleRow[]>(TITLES, [organizationId, [...new Set(ids)]]);
}

const TITLES = `
select id, 'The environment ' || name as title, null::uuid as project_id, null::uuid as environment_id
  from environment where organization_id = $1 and id = any($2::uuid[])
union all select id, 'The project ' || name, null, null from project where organization_id = $1 and id = any($2::uuid[])
union all select id, 'The type ' || name, null, null from parameter_type where organization_id = $1 and id = any($2::uuid[])
union all select tag.id, 'The tag ' || tag.name || ' of ' || environment.name, null, environment.id
  from tag join environment on environment.organization_id = $1 and environment.id = tag.environment_id
 where tag.organization_id = $1 and tag.id = any($2::uuid[])
union all select rule.id, 'The rule ' || rule.kind || ' of type ' || type.name, null, null
  from parameter_type_rule rule join parameter_type type on type.organization_id = $1 and type.id = rule.type_id
 where rule.organization_id = $1 and rule.id = any($2::uuid[])
union all select parameter.id, 'The parameter ' || parameter.name || ' of ' || project.name, project.id, null
  from parameter join project on project.organization_id = $1 and project.id = parameter.project_id
 where parameter.organization_id = $1 and parameter.id = any($2::uuid[])
union all select template.id, 'The template ' || template.name || ' of ' || project.name, project.id, null
  from template join project on project.organization_id = $1 and project.id = template.project_id
 where template.organization_id = $1 and template.id = any($2::uuid[])
union all select rule.id, 'The rule ' || rule.kind || ' of parameter ' || parameter.name || ' of ' || project.name, project.id, null
  from parameter_rule rule join parameter on parameter.organization_id = $1 and parameter.id = rule.parameter_id
  join project on project.organization_id = $1 and project.id = parameter.project_id
 where rule.organization_id = $1 and rule.id = any($2::uuid[])
union all select value.id, 'The value of ' || parameter.name || ' of ' || project.name || ' in ' || environment.name, project.id, environment.id
  from value join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
  join project on project.organization_id = $1 and project.id = parameter.project_id
  join environment on environment.organization_id = $1 and environment.id = value.environment_id
 where value.organization_id = $1 and value.id = any($2::uuid[])`;
