import type { EnvironmentId, ProjectId } from './ids.ts';
import { canIfControlled, canOnScope, canReadConfiguration, mayReveal, type Permissions } from './scope.ts';

/** The kinds of access to a cell, a project in an environment. */
export const CELL_ACTIONS = ['read', 'write', 'reveal'] as const;
export type CellAction = (typeof CELL_ACTIONS)[number];

interface NamedScope {
  readonly name: string;
}

/** The projects and environments whose cells are compared. */
export interface ComparedScopes {
  readonly projects: readonly (NamedScope & { readonly id: ProjectId })[];
  readonly environments: readonly (NamedScope & { readonly id: EnvironmentId })[];
}

/** The cells that a member gains or loses. */
export interface CellDifference {
  readonly action: CellAction;
  readonly isGained: boolean;
  readonly cells: number;
  /** The names of one of these cells. */
  readonly example: { readonly project: string; readonly environment: string };
}

/** The scopes of the cells on which an action is allowed: each of the projects in each of the environments. */
interface AllowedScopes {
  readonly projectIds: ReadonlySet<ProjectId>;
  readonly environmentIds: ReadonlySet<EnvironmentId>;
}

const NO_SCOPE: AllowedScopes = { projectIds: new Set(), environmentIds: new Set() };

/**
 * Returns the cells on which a member gains or loses an action. Null permissions are those of a user who is no member. The
 * functions that decide about requests decide here, too. The access to a cell requires that to its project and that to its
 * environment, so each is decided once, and not each cell.
 */
export function compareCellAccess(
  before: Permissions | null,
  after: Permissions | null,
  scopes: ComparedScopes,
): readonly CellDifference[] {
  return CELL_ACTIONS.flatMap((action) => {
    const [earlier, later] = [allowedScopes(before, action, scopes), allowedScopes(after, action, scopes)];
    return [
      ...describeDifference(action, true, scopes, later, earlier),
      ...describeDifference(action, false, scopes, earlier, later),
    ];
  });
}

function allowedScopes(
  permissions: Permissions | null,
  action: CellAction,
  { projects, environments }: ComparedScopes,
): AllowedScopes {
  if (permissions === null || (action === 'reveal' && !mayReveal(permissions))) return NO_SCOPE;
  const mayUseProject = (id: ProjectId) =>
    action === 'write' ? canOnScope(permissions, 'write', id) : mayReadProject(permissions, id);
  const mayUseEnvironment = (id: EnvironmentId) =>
    action === 'write' ? canIfControlled(permissions, 'write', id) : canOnScope(permissions, 'read', id);
  return {
    projectIds: new Set(projects.flatMap(({ id }) => (mayUseProject(id) ? id : []))),
    environmentIds: new Set(environments.flatMap(({ id }) => (mayUseEnvironment(id) ? id : []))),
  };
}

/** No environment has this id, so no grant restricts it. */
const UNRESTRICTED = '';

const mayReadProject = (permissions: Permissions, projectId: ProjectId): boolean =>
  canReadConfiguration(permissions, { projectId, environmentId: UNRESTRICTED, reveal: false });

/** Describes the cells in the first scopes that are not in the second ones; nothing if there are none. */
function describeDifference(
  action: CellAction,
  isGained: boolean,
  { projects, environments }: ComparedScopes,
  scopes: AllowedScopes,
  besides: AllowedScopes,
): readonly CellDifference[] {
  const isIn =
    ({ projectIds, environmentIds }: AllowedScopes) =>
    (projectId: ProjectId, environmentId: EnvironmentId) =>
      projectIds.has(projectId) && environmentIds.has(environmentId);
  const [isAllowed, isExcluded] = [isIn(scopes), isIn(besides)];
  const commonProjects = countCommon(scopes.projectIds, besides.projectIds);
  const commonEnvironments = countCommon(scopes.environmentIds, besides.environmentIds);
  const cells = scopes.projectIds.size * scopes.environmentIds.size - commonProjects * commonEnvironments;
  if (cells === 0) return [];
  for (const project of projects) {
    for (const environment of environments) {
      if (!isAllowed(project.id, environment.id) || isExcluded(project.id, environment.id)) continue;
      return [{ action, isGained, cells, example: { project: project.name, environment: environment.name } }];
    }
  }
  return [];
}

const countCommon = (first: ReadonlySet<string>, second: ReadonlySet<string>): number =>
  [...first].filter((id) => second.has(id)).length;
