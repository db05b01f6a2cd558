import { affectedScopes } from './affected.ts';
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
