import fc from 'fast-check';
import { auditId, positionOfAuditId } from './audit.ts';
import { isUuid } from './ids.ts';

const positions = fc.record({
  revision: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  ordinal: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
});

describe('the id of an audit record', () => {
  it('is a UUID that encodes the position of the change', () => {
    fc.assert(
      fc.property(fc.uuid(), positions, (organization, position) => {
        const id = auditId(organization, position);
        expect(isUuid(id)).toBe(true);
        expect(positionOfAuditId(organization, id)).toEqual(position);
        expect(positionOfAuditId(organization, id.toUpperCase())).toEqual(position);
      }),
    );
  });

  it('differs between organizations, and has no position in another one', () => {
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const id = auditId(first, { revision: 5, ordinal: 1 });
    expect(auditId(second, { revision: 5, ordinal: 1 })).not.toBe(id);
    expect(positionOfAuditId(second, id)).toBeNull();
  });

  it('has no position if the UUID is not an audit id', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid({ version: [1, 4, 7] }), (organization, id) => {
        expect(positionOfAuditId(organization, id)).toBeNull();
      }),
    );
  });
});
