import {
  type OrganizationId,
  type ParameterId,
  type ParameterRow,
  type ProjectId,
  type ProjectLink,
  projectChain as projectIdsOf,
  visibleParameters,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { rowsAt } from '../../platform/postgres/versioned-table.ts';
import { jsonList, projectChain } from '../snapshot/sql-parts.ts';
import { lateralJoin, projectsBelow } from './dependency-sql.ts';

/** A reference to a parameter. */
export interface MovedReference {
  readonly id: string;
  readonly name: string;
  readonly sourceId: string;
  /** The project in which the text looks up the name. */
  readonly projectId: ProjectId;
  /** Null if the name no longer resolves. */
  readonly targetId: ParameterId | null;
}

/** References of texts, with the possible targets of their names. */
interface LookedUp {
  readonly references: readonly MovedReference[];
  readonly projects: readonly ProjectLink[];
  readonly parameters: readonly ParameterRow[];
}

/** The names to check in some projects and their dependents; null stands for all names. */
export interface Lookups {
  readonly projectIds: readonly ProjectId[];
  readonly names: readonly string[] | null;
}

/** Returns SQL for references to parameters, and for the current possible targets of their names. */
const lookedUp = (isOfNames: boolean) => `
with recursive
  ${projectsBelow('select unnest($2::uuid[])')},
  referring as materialized (
    select reference.* from ${lateralJoin(
      isOfNames ? 'below cross join unnest($3::text[]) name(name)' : 'below',
      `select id, coalesce(value_id, template_id) as source_id, project_id, name, target_parameter_id
         from reference
        where organization_id = $1 and project_id = below.id and kind = 'parameter'
          and ${isOfNames ? 'name = name.name' : '$3::text[] is null'}`,
      'reference',
    )}),
  ${projectChain('now', 'project.id = any(array(select project_id from referring))')}
select
  ${jsonList('select id, name, source_id as "sourceId", project_id as "projectId", target_parameter_id as "targetId" from referring')} as "references",
  ${jsonList('select id, name, depends_on_id as "dependsOnId" from project_chain')} as projects,
  ${jsonList(`
    select parameter.id, parameter.name, parameter.project_id as "projectId" from ${rowsAt('parameter', 'now')} parameter
     where parameter.project_id = any(array(select id from project_chain)) and parameter.name = any(array(select name from referring))`)} as parameters`;
const LOOKED_UP_NAMES = lookedUp(true);
const LOOKED_UP = lookedUp(false);

/** Returns the references whose names now resolve to other targets. */
export async function findMovedReferences(
  em: EntityManager,
  organizationId: OrganizationId,
  { projectIds, names }: Lookups,
): Promise<readonly MovedReference[]> {
  const [lookups] = await em.query<LookedUp[]>(names ? LOOKED_UP_NAMES : LOOKED_UP, [
    organizationId,
    projectIds,
    names,
  ]);
  return lookups ? movedAmong(lookups) : [];
}

function movedAmong({ references, projects, parameters }: LookedUp): readonly MovedReference[] {
  const sameNamed = Map.groupBy(parameters, ({ name }) => name);
  const referencesByName = Map.groupBy(references, ({ projectId, name }) => `${projectId} ${name}`);
  return [...referencesByName.values()].flatMap((references) => {
    const [{ projectId, name } = { projectId: '', name: '' }] = references;
    const chain = projectIdsOf(projects, projectId).map((id) => ({ id }));
    const [visibleParameter] = visibleParameters(chain, sameNamed.get(name) ?? []);
    const targetId = visibleParameter?.parameter.id ?? null;
    return references
      .filter((reference) => reference.targetId !== targetId)
      .map((movedReference) => ({ ...movedReference, targetId }));
  });
}
