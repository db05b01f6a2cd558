import fc from 'fast-check';
import { ROLES } from './access.ts';
import { cappedPermissions } from './effective-permissions.ts';
import { canOnScope, intersectPermissions, mayReveal, type Permissions, permissionsKey } from './scope.ts';

const IDS = ['a', 'b', 'c'];
const permissions: fc.Arbitrary<Permissions> = fc
  .tuple(
    fc.constantFrom(...ROLES),
    fc.dictionary(fc.constantFrom(...IDS), fc.option(fc.constantFrom(...ROLES))),
    fc.boolean(),
  )
  .map(([role, scopes, revealsSecrets]) => ({ role, scopes: new Map(Object.entries(scopes)), revealsSecrets }));

it('allows to read exactly what both permissions allow', () => {
  fc.assert(
    fc.property(permissions, permissions, fc.constantFrom(...IDS), (one, other, id) => {
      const isReadByBoth = canOnScope(one, 'read', id) && canOnScope(other, 'read', id);
      expect(canOnScope(intersectPermissions(one, other), 'read', id)).toBe(isReadByBoth);
      expect(intersectPermissions(one, one)).toEqual(one);
    }),
  );
});

it('allows to reveal secrets only if both permissions allow it, whatever the roles are', () => {
  fc.assert(
    fc.property(permissions, permissions, (one, other) => {
      expect(mayReveal(intersectPermissions(one, other))).toBe(mayReveal(one) && mayReveal(other));
      expect(mayReveal(cappedPermissions(one, 'CONTRIB'))).toBe(mayReveal(one));
      expect(permissionsKey({ ...one, revealsSecrets: true })).not.toBe(
        permissionsKey({ ...one, revealsSecrets: false }),
      );
    }),
  );
});
