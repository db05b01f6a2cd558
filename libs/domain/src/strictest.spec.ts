import fc from 'fast-check';
import { ROLES } from './access.ts';
import { canOnScope, intersectPermissions, type Permissions } from './scope.ts';

const IDS = ['a', 'b', 'c'];
const permissions: fc.Arbitrary<Permissions> = fc
  .tuple(fc.constantFrom(...ROLES), fc.dictionary(fc.constantFrom(...IDS), fc.option(fc.constantFrom(...ROLES))))
  .map(([role, scopes]) => ({ role, scopes: new Map(Object.entries(scopes)) }));

it('allows to read exactly what both permissions allow', () => {
  fc.assert(
    fc.property(permissions, permissions, fc.constantFrom(...IDS), (one, other, id) => {
      const isReadByBoth = canOnScope(one, 'read', id) && canOnScope(other, 'read', id);
      expect(canOnScope(intersectPermissions(one, other), 'read', id)).toBe(isReadByBoth);
      expect(intersectPermissions(one, one)).toEqual(one);
    }),
  );
});
