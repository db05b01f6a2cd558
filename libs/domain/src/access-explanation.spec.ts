import fc from 'fast-check';
import { atLeast, ROLES, type Role, roleIncludes } from './access.ts';
import {
  type AccessCandidate,
  type AccessState,
  explainAccess,
  type MemberGrant,
  type MemberRights,
} from './access-explanation.ts';
import { effectivePermissions } from './effective-permissions.ts';
import type { ApiKeyLocation, KeyLimit } from './key-scope.ts';
import { chainFrom } from './reference.ts';
import { assertAbilityOnScope, assertIfControlled, canCall, canOnScope, type ScopeRow } from './scope.ts';

const PROJECTS = ['p0', 'p1', 'p2', 'p3'] as const;
const ENVIRONMENTS = ['e0', 'e1'] as const;
const SCOPES = [...PROJECTS, ...ENVIRONMENTS];

const role = fc.constantFrom(...ROLES);
/** A project depends on one with a lower number, or on none. */
const dependencies = fc.tuple(...PROJECTS.map((_, at) => fc.integer({ min: -1, max: at - 1 })));
const grant = fc.record({
  id: fc.uuid(),
  scopeId: fc.constantFrom(...SCOPES),
  role,
  groupId: fc.constantFrom(null, 'g0', 'g1'),
  expiresAt: fc.constant(null),
});
const rights = fc.record({
  role,
  revealsSecrets: fc.boolean(),
  onlyProjectIds: fc.option(fc.subarray([...PROJECTS, 'deleted'])),
  grants: fc.array(grant, { maxLength: 5 }),
});
/** Scopes with grants to other members only. */
const othersControlled = fc.subarray(SCOPES);
const cell = fc.record({ projectId: fc.constantFrom(...PROJECTS), environmentId: fc.constantFrom(...ENVIRONMENTS) });

function stateWith(
  dependsOnIndexes: readonly number[],
  { grants }: MemberRights,
  further: readonly string[],
): AccessState {
  return {
    dependsOn: new Map(PROJECTS.map((id, at) => [id, PROJECTS[dependsOnIndexes[at] ?? -1] ?? null])),
    controlledIds: new Set([...grants.map(({ scopeId }) => scopeId), ...further]),
  };
}

const NO_KEY_LIMIT: KeyLimit = { scopes: null, projectIds: null, environmentIds: null };
const keyLimit = fc.record({
  scopes: fc.option(fc.subarray(['write', 'reveal'] as const).map((scopes) => ['read' as const, ...scopes])),
  projectIds: fc.option(fc.subarray([...PROJECTS])),
  environmentIds: fc.option(fc.subarray([...ENVIRONMENTS])),
});

/** Returns what the look-up of a limited key reads about all scopes. */
function lookUpLocations({ projectIds, environmentIds }: KeyLimit, { dependsOn }: AccessState) {
  if (projectIds === null && environmentIds === null) return null;
  const readable = (projectIds ?? []).flatMap((id) => chainFrom(id, (link) => dependsOn.get(link)));
  const locations: ApiKeyLocation[] = PROJECTS.map((id) => {
    if (projectIds === null || projectIds.includes(id)) return { id, permits: 'everything' };
    return { id, permits: readable.includes(id) ? 'reading' : 'nothing' };
  });
  const excluded = environmentIds === null ? [] : ENVIRONMENTS.filter((id) => !environmentIds.includes(id));
  return [...locations, ...excluded.map((id): ApiKeyLocation => ({ id, permits: 'nothing' }))];
}

/** Returns the permissions that the look-up of a credential computes, from the rows of all scopes. */
function lookUpPermissions(
  { grants, onlyProjectIds, ...membership }: MemberRights,
  state: AccessState,
  key: KeyLimit = NO_KEY_LIMIT,
) {
  const inside = (onlyProjectIds ?? []).flatMap((id) =>
    state.dependsOn.has(id) ? chainFrom(id, (link) => state.dependsOn.get(link)) : [],
  );
  const scopes = SCOPES.map(
    (id): ScopeRow => ({
      id,
      controlled: state.controlledIds.has(id),
      outside: onlyProjectIds !== null && state.dependsOn.has(id) && !inside.includes(id),
      dependsOnId: state.dependsOn.get(id) ?? null,
      roles: grants.flatMap((memberGrant) => (memberGrant.scopeId === id ? memberGrant.role : [])),
    }),
  );
  const limit = { isWorkload: false, keyScopes: key.scopes };
  const permissions = effectivePermissions({ ...membership, scopes, keyLocations: lookUpLocations(key, state) }, limit);
  if (permissions === null) throw new Error('The role is unknown.');
  return permissions;
}

const findWinners = (candidates: readonly AccessCandidate[]) => candidates.filter(({ wins }) => wins);

function isRejected(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

describe('the explanation of access', () => {
  it('agrees with the checks of requests, for all members, grants and dependencies', () => {
    fc.assert(
      fc.property(
        dependencies,
        rights,
        othersControlled,
        cell,
        (dependsOn, member, others, { projectId, environmentId }) => {
          const state = stateWith(dependsOn, member, others);
          const explanation = explainAccess(member, { projectId, environmentId }, state);
          const permissions = lookUpPermissions(member, state);
          const contents = { id: projectId, part: 'contents' } as const;
          const mayRead = canCall(permissions, 'read', contents) && canOnScope(permissions, 'read', environmentId);
          const mayWrite =
            canCall(permissions, 'write_content', contents) &&
            !isRejected(() => assertAbilityOnScope(permissions, 'write', projectId)) &&
            !isRejected(() => assertIfControlled(permissions, 'write', environmentId));

          expect(explanation).toMatchObject({
            read: mayRead,
            write: mayWrite,
            reveal: mayRead && member.revealsSecrets,
            project: { read: canOnScope(permissions, 'read', projectId) },
            environment: { read: canOnScope(permissions, 'read', environmentId) },
          });
        },
      ),
    );
  });

  it('agrees with the checks of requests with an API key, and says what its scopes deny', () => {
    fc.assert(
      fc.property(
        dependencies,
        rights,
        othersControlled,
        cell,
        keyLimit,
        (dependsOn, member, others, location, key) => {
          const { projectId, environmentId } = location;
          const state = stateWith(dependsOn, member, others);
          const account = explainAccess(member, location, state);
          const explanation = explainAccess(member, location, state, key);
          const permissions = lookUpPermissions(member, state, key);
          const contents = { id: projectId, part: 'contents' } as const;
          const mayRead = canCall(permissions, 'read', contents) && canOnScope(permissions, 'read', environmentId);
          const mayWrite =
            canCall(permissions, 'write_content', contents) &&
            !isRejected(() => assertIfControlled(permissions, 'write', environmentId));
          const reveals = key.scopes?.includes('reveal') ?? true;

          expect(explanation).toMatchObject({
            read: mayRead,
            write: mayWrite,
            reveal: mayRead && member.revealsSecrets && reveals,
          });
          // A key adds no right, and each lost one has a reason.
          for (const right of ['read', 'write', 'reveal'] as const) {
            const isLost = account?.[right] === true && explanation?.[right] === false;
            expect(explanation?.[right] === true && account?.[right] === false).toBe(false);
            if (isLost) expect(explanation?.deniedByKey).not.toEqual([]);
          }
          if (account?.write && !(key.scopes?.includes('write') ?? true))
            expect(explanation?.deniedByKey).toContain('write');
          if (account?.reveal && !reveals) expect(explanation?.deniedByKey).toContain('reveal');
          const isOutside = key.projectIds !== null && !key.projectIds.includes(projectId);
          if (explanation?.deniedByKey.includes('project')) expect(isOutside).toBe(true);
          if (explanation?.deniedByKey.includes('environment')) expect(key.environmentIds).not.toContain(environmentId);
        },
      ),
    );
  });

  it('names the role, the grant or the limit from which the access to each scope follows', () => {
    fc.assert(
      fc.property(dependencies, rights, othersControlled, cell, (dependsOn, member, others, location) => {
        const explanation = explainAccess(member, location, stateWith(dependsOn, member, others));
        const scopes = [explanation?.project, explanation?.environment].filter((scope) => scope?.candidates.length);
        for (const scope of scopes) {
          const [winner, second] = findWinners(scope?.candidates ?? []);
          expect(second).toBeUndefined();
          expect(scope?.read).toBe(winner?.role != null && roleIncludes(winner.role, 'read'));
          expect(scope?.write).toBe(winner?.role != null && atLeast(winner.role, 'CONTRIB'));
          for (const candidate of scope?.candidates ?? []) expect(candidate.hiddenBy === null).toBe(candidate.wins);
        }
      }),
    );
  });

  it.each`
    name                                       | member                                                         | controlled | expected
    ${'the role in an open project'}           | ${{ role: 'CONTRIB' }}                                         | ${[]}      | ${['organization_role CONTRIB wins']}
    ${'the role of an ADMIN before any grant'} | ${{ role: 'ADMIN', grants: [['p0', 'VIEWER']] }}               | ${['p0']}  | ${['organization_role ADMIN wins', 'grant VIEWER organization_role']}
    ${'the highest grant before the role'} | ${{ role: 'VIEWER', grants: [['p0', 'VIEWER'], ['p0', 'CONTRIB', 'g0']] }} | ${['p0']} | ${['group_grant CONTRIB wins', 'grant VIEWER higher_grant', 'organization_role VIEWER access_control']}
    ${'the grant to the member before an equal one'} | ${{ role: 'VIEWER', grants: [['p0', 'ADMIN', 'g0'], ['p0', 'ADMIN']] }} | ${['p0']} | ${['grant ADMIN wins', 'group_grant ADMIN higher_grant', 'organization_role VIEWER access_control']}
    ${'no winner without a grant'}             | ${{ role: 'CONTRIB' }}                                         | ${['p0']}  | ${['organization_role CONTRIB access_control']}
    ${'the limit before a grant'}              | ${{ role: 'VIEWER', only: ['p1'], grants: [['p0', 'OWNER']] }} | ${['p0']}  | ${['project_limit null wins', 'grant OWNER project_limit', 'organization_role VIEWER project_limit']}
  `('lists $name', ({ member, controlled, expected }) => {
    const grants = (member.grants ?? []).map(
      ([scopeId, granted, groupId]: readonly [string, Role, string?], at: number): MemberGrant => ({
        id: `grant ${at}`,
        scopeId,
        role: granted,
        groupId: groupId ?? null,
        expiresAt: null,
      }),
    );
    const state = stateWith([-1, -1, -1, -1], { ...member, grants }, controlled);
    const explanation = explainAccess(
      { role: member.role, revealsSecrets: true, onlyProjectIds: member.only ?? null, grants },
      { projectId: 'p0', environmentId: 'e0' },
      state,
    );

    const lines = explanation?.project.candidates.map(({ kind, role: candidateRole, wins, hiddenBy }) =>
      [kind, candidateRole, wins ? 'wins' : hiddenBy].join(' ').replace('  ', ' null '),
    );
    expect(lines).toEqual(expected);
    expect(explanation?.environment).toMatchObject({ controlledById: null, read: true, write: true, candidates: [] });
  });
});
