import { schemaLineage } from './schema-lineage.ts';

describe('a core that was built for the migrations a, b and c', () => {
  it.each([
    [['a', 'b', 'c'], { is: 'current' }],
    [['a', 'b', 'c', 'd'], { is: 'ahead', by: 'd' }],
  ])('works with a schema of %j', (applied, lineage) => {
    expect(schemaLineage(applied, ['a', 'b', 'c'])).toEqual(lineage);
  });

  it.each([
    [[], /not current\. Run the migration first/],
    [['a'], /not current\. Run the migration first/],
    [['a', 'b', 'c', 'd', 'e'], /2 migrations ahead of this core, which bears one/],
    [['a', 'x', 'c'], /another service: its migration 2 is x, and here it is b/],
    [['a', 'x'], /another service/],
    [['a', 'c', 'b', 'd'], /another service/],
  ])('refuses a schema of %j', (applied, because) => {
    expect(schemaLineage(applied, ['a', 'b', 'c'])).toEqual({
      is: 'refused',
      because: expect.stringMatching(because),
    });
  });
});
