import type { Role } from './access.ts';
import { effectivePermissions } from './effective-permissions.ts';
import type { EnvironmentId, ProjectId } from './ids.ts';
import type { ApiKeyLocation, KeyLimit } from './key-scope.ts';
import { chainFrom } from './reference.ts';
import {
  can,
  canIfControlled,
  canOnScope,
  canReadConfiguration,
  findControllingProject,
  highestRole,
  type Permissions,
  type ScopeId,
  type ScopeRow,
} from './scope.ts';

/** The kinds of roles and limits that are checked for the access of a member to a scope. */
export const ACCESS_CANDIDATE_KINDS = ['organization_role', 'project_limit', 'grant', 'group_grant'] as const;

/** The reasons why a candidate does not decide. */
export const CANDIDATE_REPLACEMENTS = ['organization_role', 'project_limit', 'higher_grant', 'access_control'] as const;

/** The rights and scopes that an API key can deny. */
export const KEY_DENIALS = ['write', 'reveal', 'project', 'environment'] as const;
export type KeyDenial = (typeof KEY_DENIALS)[number];

/** A grant to a member, or to a group of the member. */
export interface MemberGrant {
  readonly id: string;
  readonly scopeId: ScopeId;
  /** The role that the grant gives the member, which is lower than that of the group in some cases. */
  readonly role: Role;
  /** Null if the grant is to the member. */
  readonly groupId: string | null;
  /** When the grant ends; null for a grant without an end. */
  readonly expiresAt: string | null;
}

/** The rights of a member at one point in time. */
export interface MemberRights {
  readonly role: Role;
  readonly revealsSecrets: boolean;
  /** The projects that the member is limited to; null without a limit. */
  readonly onlyProjectIds: readonly ProjectId[] | null;
  readonly grants: readonly MemberGrant[];
}

/** The projects and the restricted scopes at one point in time. */
export interface AccessState {
  readonly dependsOn: ReadonlyMap<ProjectId, ProjectId | null>;
  /** The projects and environments with grants. */
  readonly controlledIds: ReadonlySet<ScopeId>;
}

/** A role or a limit of a member that is checked for a scope. */
export interface AccessCandidate {
  readonly kind: (typeof ACCESS_CANDIDATE_KINDS)[number];
  /** The role that it gives on the scope; null for a limit. */
  readonly role: Role | null;
  /** Set for grants. */
  readonly grant: MemberGrant | null;
  readonly wins: boolean;
  /** The reason why it does not decide; null if it does. */
  readonly hiddenBy: (typeof CANDIDATE_REPLACEMENTS)[number] | null;
}

export interface ScopeAccess {
  /** The scope whose grants decide: itself, or a project that it depends on; null if the scope is open. */
  readonly controlledById: ScopeId | null;
  readonly read: boolean;
  readonly write: boolean;
  /**
   * In order of precedence. Without a winner, the member has no access to the scope. An open environment restricts
   * nothing, so it has no candidates.
   */
  readonly candidates: readonly AccessCandidate[];
}

/** The access of a member to the values of a project in an environment. */
export interface CellAccess {
  readonly read: boolean;
  readonly write: boolean;
  readonly reveal: boolean;
  readonly project: ScopeAccess;
  readonly environment: ScopeAccess;
  /** The rights and scopes that the API key denies although its account has them. */
  readonly deniedByKey: readonly KeyDenial[];
}

interface Cell {
  readonly projectId: ProjectId;
  readonly environmentId: EnvironmentId;
}

/**
 * Explains the access of a member to a cell, or that of one of their API keys. The functions that decide about requests
 * compute the results; the candidates say which role or grant they follow from. A workload has the same access, because
 * its limit permits reading and writing.
 */
export function explainAccess(
  rights: MemberRights,
  cell: Cell,
  state: AccessState,
  key: KeyLimit | null = null,
): CellAccess | null {
  const isOutside = isOutsideLimit(rights.onlyProjectIds, cell.projectId, state);
  const storedPermissions = { ...rights, scopes: scopeRows(rights, cell, state, isOutside) };
  const account = effectivePermissions(storedPermissions, { isWorkload: false, keyScopes: null });
  const accountAccess = account && checkAccess(account, rights, cell, state, isOutside);
  if (key === null || account === null || accountAccess === null) return accountAccess;
  const keyLocations = locateCell(key, cell, state);
  const permissions = effectivePermissions(
    { ...storedPermissions, keyLocations },
    { isWorkload: false, keyScopes: key.scopes },
  );
  if (permissions === null) return null;
  const { project, environment, ...access } = checkAccess(permissions, rights, cell, state, isOutside);
  return {
    ...access,
    project: { ...project, candidates: accountAccess.project.candidates },
    environment: { ...environment, candidates: accountAccess.environment.candidates },
    deniedByKey: listKeyDenials(accountAccess, { ...access, project, environment }, key),
  };
}

function checkAccess(
  permissions: Permissions,
  rights: MemberRights,
  cell: Cell,
  state: AccessState,
  isOutside: boolean,
): CellAccess {
  const { projectId, environmentId } = cell;
  const controllingProjectId = findControllingProject(state.dependsOn, state.controlledIds, projectId);
  const project: ScopeAccess = {
    controlledById: controllingProjectId,
    read: canOnScope(permissions, 'read', projectId),
    write: canOnScope(permissions, 'write', projectId),
    candidates: listAccessCandidates(rights, permissions, controllingProjectId, isOutside),
  };
  const isControlled = state.controlledIds.has(environmentId);
  const environment: ScopeAccess = {
    controlledById: isControlled ? environmentId : null,
    read: canOnScope(permissions, 'read', environmentId),
    write: canIfControlled(permissions, 'write', environmentId),
    candidates: isControlled ? listAccessCandidates(rights, permissions, environmentId, false) : [],
  };
  return {
    read: canReadConfiguration(permissions, { ...cell, reveal: false }),
    write: project.write && environment.write,
    reveal: canReadConfiguration(permissions, { ...cell, reveal: true }),
    project,
    environment,
    deniedByKey: [],
  };
}

/** Returns what a key that is limited to projects or environments permits in a cell; null for other keys. */
function locateCell(
  { projectIds, environmentIds }: KeyLimit,
  { projectId, environmentId }: Cell,
  state: AccessState,
): readonly ApiKeyLocation[] | null {
  if (projectIds === null && environmentIds === null) return null;
  const isNamed = projectIds === null || projectIds.includes(projectId);
  const outside = isOutsideLimit(projectIds, projectId, state) ? 'nothing' : 'reading';
  const project: ApiKeyLocation = { id: projectId, permits: isNamed ? 'everything' : outside };
  const isEnvironmentDenied = environmentIds !== null && !environmentIds.includes(environmentId);
  return isEnvironmentDenied ? [project, { id: environmentId, permits: 'nothing' }] : [project];
}

/** Returns what a key denies although its account has the right. */
function listKeyDenials(
  account: CellAccess,
  limited: Omit<CellAccess, 'deniedByKey'>,
  key: KeyLimit,
): readonly KeyDenial[] {
  const writes = key.scopes?.includes('write') ?? true;
  const reveals = key.scopes?.includes('reveal') ?? true;
  const denies = (scope: 'project' | 'environment') =>
    (account[scope].read && !limited[scope].read) || (writes && account[scope].write && !limited[scope].write);
  const isDenied: Readonly<Record<KeyDenial, boolean>> = {
    write: account.write && !writes,
    reveal: account.reveal && !reveals,
    project: denies('project'),
    environment: denies('environment'),
  };
  return KEY_DENIALS.filter((denial) => isDenied[denial]);
}

/** A limit includes the projects that its projects depend on. */
function isOutsideLimit(
  limitIds: readonly ProjectId[] | null,
  projectId: ProjectId,
  { dependsOn }: AccessState,
): boolean {
  if (limitIds === null) return false;
  return !limitIds.some((id) => dependsOn.has(id) && chainFrom(id, (link) => dependsOn.get(link)).includes(projectId));
}

/** Returns the rows from which `resolveScopes` computes the access to the project and the environment. */
function scopeRows(
  { grants }: MemberRights,
  { projectId, environmentId }: Cell,
  { dependsOn, controlledIds }: AccessState,
  isOutside: boolean,
): readonly ScopeRow[] {
  const scopeRow = (id: ScopeId, dependsOnId: ProjectId | null): ScopeRow => ({
    id,
    controlled: controlledIds.has(id),
    outside: isOutside && id === projectId,
    dependsOnId,
    roles: grants.flatMap(({ scopeId, role }) => (scopeId === id ? role : [])),
  });
  const chain = chainFrom(projectId, (id) => dependsOn.get(id));
  return [...chain.map((id) => scopeRow(id, dependsOn.get(id) ?? null)), scopeRow(environmentId, null)];
}

type Candidate = Pick<AccessCandidate, 'kind' | 'role' | 'grant'>;

/** Returns the candidates in the order in which `canOnScope` and `resolveScopes` check them. */
function listAccessCandidates(
  { grants }: MemberRights,
  permissions: Permissions,
  controllingId: ScopeId | null,
  isOutside: boolean,
): readonly AccessCandidate[] {
  const membership: Candidate = { kind: 'organization_role', role: permissions.role, grant: null };
  const scopeGrants = sortByRole(grants.filter(({ scopeId }) => scopeId === controllingId)).map(
    (grant): Candidate => ({ kind: grant.groupId === null ? 'grant' : 'group_grant', role: grant.role, grant }),
  );
  const limits: readonly Candidate[] = isOutside ? [{ kind: 'project_limit', role: null, grant: null }] : [];
  const isFirst = can(permissions, 'enter_every_scope');
  const candidates = isFirst ? [membership, ...limits, ...scopeGrants] : [...limits, ...scopeGrants, membership];
  const [first] = candidates;
  const winner = first === membership && controllingId !== null && !isFirst ? null : first;
  return candidates.map((candidate) => ({
    ...candidate,
    wins: candidate === winner,
    hiddenBy: candidate === winner ? null : findReplacement(candidate, winner ?? null),
  }));
}

function findReplacement(candidate: Candidate, winner: Candidate | null): AccessCandidate['hiddenBy'] {
  if (winner?.kind === 'organization_role' || winner?.kind === 'project_limit') return winner.kind;
  return candidate.kind === 'organization_role' ? 'access_control' : 'higher_grant';
}

/** Sorts grants: the highest role first, and of equal roles the grants to the member first. */
function sortByRole(grants: readonly MemberGrant[]): readonly MemberGrant[] {
  const directFirst = grants.toSorted((left, right) => Number(left.groupId !== null) - Number(right.groupId !== null));
  return directFirst.toSorted((left, right) => compareRoles(left.role, right.role));
}

/** Returns a negative number if the first role is higher. */
function compareRoles(left: Role, right: Role): number {
  if (left === right) return 0;
  return highestRole([left, right]) === left ? -1 : 1;
}
