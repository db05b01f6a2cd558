import fc from 'fast-check';
import { atLeast, ROLES } from './access.ts';
import { effectivePermissions, isRaisedAboveWorkloads } from './effective-permissions.ts';
import { can } from './scope.ts';

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
        const full = effectivePermissions(membership, { isWorkload: false });
        const limited = effectivePermissions(membership, { isWorkload: true });

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

  it('do not exist for a role that this release does not know', () => {
    const unknown = { role: 'AUDITOR', scopes: null, revealsSecrets: true };
    expect(effectivePermissions(unknown, { isWorkload: false })).toBeNull();
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
