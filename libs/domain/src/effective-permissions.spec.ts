import fc from 'fast-check';
import { ABILITIES, atLeast, ROLES } from './access.ts';
import { effectivePermissions, isRaisedAboveWorkloads } from './effective-permissions.ts';
import { can, canOnScope, mayReveal, SCOPE_ABILITIES } from './scope.ts';

const role = fc.constantFrom(...ROLES);
const stored = fc.record({
  role,
  scopes: fc.array(
    fc.record({ id: fc.uuid(), controlled: fc.constant(true), dependsOnId: fc.constant(null), roles: fc.array(role) }),
  ),
  revealsSecrets: fc.boolean(),
});

describe('effective permissions', () => {
  it('are those of the membership, and of a workload at most those of a CONTRIB', () => {
    fc.assert(
      fc.property(stored, (membership) => {
        const full = effectivePermissions(membership, { isWorkload: false, keyScopes: null });
        const limited = effectivePermissions(membership, { isWorkload: true, keyScopes: null });

        expect(full).toMatchObject({ role: membership.role, revealsSecrets: membership.revealsSecrets });
        expect(limited?.role).toBe(atLeast(membership.role, 'CONTRIB') ? 'CONTRIB' : membership.role);
        for (const [scope, granted] of limited?.scopes ?? []) {
          expect(granted === null || atLeast('CONTRIB', granted)).toBe(true);
          expect(granted === null).toBe(full?.scopes.get(scope) === null);
        }
        expect(limited && can(limited, 'enter_every_scope')).toBe(false);
      }),
    );
  });

  it('never exceed those of the account with an API key, in any limit of the key', () => {
    const places = ['p', 'q', 'e'];
    const keyLocations = fc.option(
      fc.array(
        fc.record({
          id: fc.constantFrom(...places),
          permits: fc.constantFrom('everything' as const, 'reading' as const, 'nothing' as const),
        }),
      ),
    );
    const keyScopes = fc.option(fc.subarray(['read', 'write', 'reveal'] as const));
    fc.assert(
      fc.property(stored, keyLocations, keyScopes, (membership, locations, scopes) => {
        const account = effectivePermissions(membership, { isWorkload: false, keyScopes: null });
        const key = effectivePermissions(
          { ...membership, keyLocations: locations },
          { isWorkload: false, keyScopes: scopes },
        );
        if (!account || !key) throw new Error('The role is unknown.');

        for (const ability of ABILITIES) expect(can(key, ability) && !can(account, ability)).toBe(false);
        for (const id of [...places, ...account.scopes.keys()]) {
          const mayWrite = canOnScope(key, 'write', id);
          for (const ability of SCOPE_ABILITIES)
            expect(canOnScope(key, ability, id) && !canOnScope(account, ability, id)).toBe(false);
          if (scopes && !scopes.includes('write')) expect(mayWrite).toBe(false);
          if (locations?.findLast((location) => location.id === id)?.permits === 'nothing')
            expect(canOnScope(key, 'read', id)).toBe(false);
        }
        if (scopes && !scopes.includes('reveal')) expect(mayReveal(key)).toBe(false);
        if (locations !== null) expect(can(key, 'write_content')).toBe(false);
      }),
    );
  });

  it('do not exist for a role that this release does not know', () => {
    const unknown = { role: 'AUDITOR', scopes: null, revealsSecrets: true };
    expect(effectivePermissions(unknown, { isWorkload: false, keyScopes: null })).toBeNull();
  });
});

it.each`
  before       | after        | isRaised
  ${'VIEWER'}  | ${'CONTRIB'} | ${false}
  ${'CONTRIB'} | ${'ADMIN'}   | ${true}
  ${'ADMIN'}   | ${'OWNER'}   | ${true}
  ${'OWNER'}   | ${'ADMIN'}   | ${false}
  ${'OWNER'}   | ${'CONTRIB'} | ${false}
`('a change from $before to $after raises an account above its workloads: $isRaised', ({ before, after, isRaised }) => {
  expect(isRaisedAboveWorkloads(before, after)).toBe(isRaised);
});
