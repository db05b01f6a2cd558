import {
  assertAbilityOnScope,
  canOnScope,
  type EnvironmentNode,
  Failure,
  indexById,
  isUuid,
  type ObjectType,
  type Permissions,
  type ProjectId,
  type ProjectLink,
  projectChain,
} from '@strata/domain';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import type { ConfigurationSnapshot } from './snapshot.ts';

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds a row by id or name. A name may look like the id of another object, so ids take precedence (behaviour.md §1.8).
 */
export function byIdOrName<Row extends NamedRow>(rows: readonly Row[], nameOrId: string): Row | undefined {
  const id = nameOrId.toLowerCase();
  return (isUuid(id) ? rows.find((row) => row.id === id) : undefined) ?? rows.find(({ name }) => name === nameOrId);
}

/** Returns the object that a request names. Throws 404 if it does not exist. */
export function findByName<Row extends NamedRow>(
  rows: readonly Row[],
  nameOrId: string,
  {
    type,
    at,
    requested,
    pointer,
  }: {
    readonly type: ObjectType;
    readonly at: PointInTime;
    readonly requested: readonly string[];
    readonly pointer?: string | undefined;
  },
): Row {
  const match = byIdOrName(rows, nameOrId);
  if (!match) throw notFoundAtError(type, at, requested.length > 1 ? nameOrId : undefined).at(pointer);
  return match;
}

/**
 * Returns an environment by name or id. Throws 404 if it does not exist, and 403 if the caller has no access. `pointer`
 * leads to the input that names it.
 */
export function findEnvironment(
  { environments, at, mayRead: canRead }: EnvironmentsOfCaller,
  nameOrId: string,
  pointer = '/environment',
): EnvironmentNode {
  const match = byIdOrName(environments, nameOrId);
  if (!match) throw notFoundAtError('Environment', at).at(pointer);
  if (!canRead(match.id)) throw Failure.forbidden().at(pointer);
  return match;
}

interface EnvironmentsOfCaller {
  readonly environments: readonly EnvironmentNode[];
  readonly at: PointInTime;
  readonly mayRead: (environmentId: string) => boolean;
}

type Projects = Pick<ConfigurationSnapshot, 'projects' | 'projectsNow'>;

/** Returns the project, followed by the projects it depends on. Returns an empty list if the project does not exist. */
export function findProjectChain({ projects }: Projects, projectId: ProjectId): readonly ProjectLink[] {
  const links = indexById(projects);
  return projectChain(projects, projectId).flatMap((id) => links.get(id) ?? []);
}

/**
 * Returns the projects that a project depended on at that time and no longer depends on. Grants on the project no
 * longer apply to them, so their own access control decides.
 */
export function listProjectsOutsideChain(
  { projects, projectsNow }: Projects,
  projectId: ProjectId,
): readonly ProjectId[] {
  if (projectsNow === null) return [];
  const now = new Set(projectChain(projectsNow, projectId));
  return projectChain(projects, projectId).filter((id) => !now.has(id));
}

/** Throws 403 if a past state of the project shows other projects that the caller may not read today. */
export function assertChainReadable(projects: Projects, projectId: ProjectId, permissions: Permissions): void {
  for (const id of listProjectsOutsideChain(projects, projectId)) assertAbilityOnScope(permissions, 'read', id);
}

export function canReadChain(projects: Projects, projectId: ProjectId, permissions: Permissions): boolean {
  return [projectId, ...listProjectsOutsideChain(projects, projectId)].every((id) =>
    canOnScope(permissions, 'read', id),
  );
}
