import { ForbiddenLookups } from './forbidden-lookups.ts';

const environments = [
  { id: 'default', name: 'default', parentId: null },
  { id: 'vault', name: 'vault', parentId: 'default' },
  { id: 'below', name: 'below', parentId: 'vault' },
];
const projects = [
  { id: 'base', name: 'base', dependsOnId: null },
  { id: 'web', name: 'web', dependsOnId: 'base' },
];
const parameters = [
  { id: 'base.A', projectId: 'base', name: 'A' },
  { id: 'web.A', projectId: 'web', name: 'A' },
];

function lookups(forbidden: readonly string[], ...set: readonly (readonly [parameter: string, environment: string])[]) {
  const values = set.map(([parameterId, environmentId]) => ({
    id: `${parameterId} ${environmentId}`,
    parameterId,
    environmentId,
  }));
  return new ForbiddenLookups({ environments, projects, parameters, values }, new Set(forbidden));
}

it('checks no forbidden environment if a nearer environment has a value', () => {
  expect(lookups(['vault'], ['base.A', 'below'], ['web.A', 'vault']).of('web', 'A', 'below')).toEqual([]);
});

it('checks a forbidden environment for every owner of the name until it finds a value', () => {
  expect(lookups(['vault'], ['web.A', 'default']).of('web', 'A', 'below')).toEqual(['vault web.A', 'vault base.A']);
  expect(lookups(['vault'], ['web.A', 'vault']).of('web', 'A', 'below')).toEqual(['vault web.A']);
  expect(lookups(['vault']).of('base', 'A', 'below')).toEqual(['vault base.A']);
  expect(lookups(['vault'], ['base.A', 'vault']).of('web', 'A', 'default')).toEqual([]);
});

it('checks a forbidden project whether or not it has the name', () => {
  expect(lookups(['base'], ['web.A', 'default']).of('web', 'A', 'vault')).toEqual(['vault base A']);
  expect(lookups(['base']).of('web', 'B', 'default')).toEqual(['default base B']);
});

it('checks nothing in an environment that does not exist', () => {
  expect(lookups(['vault']).of('web', 'A', 'new')).toEqual([]);
});
