import fc from 'fast-check';
import { schemaLineage } from './schema-lineage.ts';

const KNOWN = { migrations: ['a', 'b', 'c'], number: 3 };

describe('a core that was built for the migrations a, b and c', () => {
  it.each([
    [['a', 'b', 'c'], 3, { is: 'current' }],
    [['a', 'b', 'c'], null, { is: 'current' }],
    [['a', 'b', 'c', 'd'], 1, { is: 'ahead', by: ['d'] }],
    [['a', 'b', 'c', 'd', 'e', 'f'], 3, { is: 'ahead', by: ['d', 'e', 'f'] }],
  ])('works with a schema of %j that supports cores from %j on', (migrations, servesCoresFrom, lineage) => {
    expect(schemaLineage({ migrations, servesCoresFrom }, KNOWN)).toEqual(lineage);
  });

  it.each([
    [[], null, /not current\. Run the migration first/],
    [['a'], 1, /not current\. Run the migration first/],
    [
      ['a', 'b', 'c', 'd'],
      4,
      /ahead of this core \(d\) and serves only cores that know migration 4; this one .* up to 3/,
    ],
    [['a', 'b', 'c', 'd'], null, /serves only cores that know all of them/],
    [['a', 'x', 'c'], 1, /another service: its migration 2 is x, and here it is b/],
    [['a', 'x'], 1, /another service/],
    [['a', 'c', 'b', 'd'], 1, /another service/],
  ])('rejects a schema of %j that supports cores from %j on', (migrations, servesCoresFrom, because) => {
    expect(schemaLineage({ migrations, servesCoresFrom }, KNOWN)).toEqual({
      is: 'incompatible',
      because: expect.stringMatching(because),
    });
  });
});

it('compatibility depends only on the supported cores, not on how far ahead the schema is', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(names, fc.nat(20), fc.nat(25), (migrations, cut, servesCoresFrom) => {
      const number = Math.min(cut, migrations.length);
      const { is } = schemaLineage(
        { migrations, servesCoresFrom },
        { migrations: migrations.slice(0, number), number },
      );
      const serves = servesCoresFrom <= number;
      expect(is).toBe(number === migrations.length ? 'current' : serves ? 'ahead' : 'incompatible');
    }),
  );
});
