import { affectedScopes, mayAffect } from './affected.ts';
import type { ObjectType } from './object-type.ts';

const places = (objectType: ObjectType) => {
  const { values, ...sets } = affectedScopes([
    { objectType, object: { id: 'x' }, parameter: { id: 'p' }, environment: { id: 'e' } },
  ]);
  const named = Object.entries(sets).flatMap(([kind, ids]) => [...ids].map((id) => `${kind} ${id}`));
  return [...named, ...values.map(({ parameterId, environmentId }) => `value of ${parameterId} in ${environmentId}`)];
};

it.each<[ObjectType, readonly string[]]>([
  ['Environment', ['environments x']],
  ['Project', ['projects x']],
  ['Parameter', ['parameters x']],
  ['Template', ['templates x']],
  ['Value', ['value of p in e']],
  ['ParameterType', []],
  ['ParameterRule', []],
  ['Grant', []],
  ['Group', []],
  ['Tag', []],
  ['Webhook', []],
])('a change of %s may show in %p', (type, expected) => {
  expect(places(type)).toEqual(expected);
});

it.each`
  project  | environment  | isAffected | reason
  ${'p'}   | ${'e'}       | ${true}    | ${'a value that is visible here'}
  ${'p'}   | ${'sibling'} | ${false}   | ${'a value of another environment'}
  ${'far'} | ${'e'}       | ${false}   | ${'a value of a project that no text refers to'}
  ${'p'}   | ${null}      | ${true}    | ${'a parameter of the project'}
  ${'far'} | ${null}      | ${false}   | ${'a parameter of another project'}
  ${null}  | ${null}      | ${true}    | ${'an environment'}
`('$reason: a change in project $project and environment $environment', ({ project, environment, isAffected }) => {
  const changedScopes = { revision: 1, scopes: [['far', 'sibling'] as const, [project, environment] as const] };
  const dependencies = { projects: new Set(['p', 'base']), environments: new Set(['e', 'root']) };

  expect(mayAffect(changedScopes, dependencies)).toBe(isAffected);
  expect(mayAffect(changedScopes, null)).toBe(true);
});
