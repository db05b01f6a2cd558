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
    fc.property(permissions, permissions, fc.constantFrom(...IDS), (first, second, id) => {
      const isReadByBoth = canOnScope(first, 'read', id) && canOnScope(second, 'read', id);
      expect(canOnScope(intersectPermissions(first, second), 'read', id)).toBe(isReadByBoth);
      expect(intersectPermissions(first, first)).toEqual(first);
    }),
  );
});

it('allows to reveal secrets only if both permissions allow it, whatever the roles are', () => {
  fc.assert(
    fc.property(permissions, permissions, (first, second) => {
      expect(mayReveal(intersectPermissions(first, second))).toBe(mayReveal(first) && mayReveal(second));
      expect(mayReveal(cappedPermissions(first, 'CONTRIB'))).toBe(mayReveal(first));
      expect(permissionsKey({ ...first, revealsSecrets: true })).not.toBe(
        permissionsKey({ ...first, revealsSecrets: false }),
      );
    }),
  );
});
