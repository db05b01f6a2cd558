import { decidePull } from './pull-plan.ts';

const ALL = { create_environments: true, create_projects: true };
const NONE = { create_environments: false, create_projects: false };
const EXISTING = { hasEnvironment: true, hasProject: true, value: null, inheritsValue: false };

describe('decidePull', () => {
  it.each([
    ['a missing value', EXISTING, NONE, 'create'],
    ['a value of the same key', { ...EXISTING, value: 'this_key' }, ALL, 'none'],
    ['a value of another key', { ...EXISTING, value: 'another_key' }, ALL, 'value_of_another_key'],
    ['a value that was set in Strata', { ...EXISTING, value: 'internal' }, ALL, 'value_set'],
    ['an inherited value', { ...EXISTING, inheritsValue: true }, ALL, 'value_inherited'],
    [
      'a value of the same key instead of an inherited one',
      { ...EXISTING, value: 'this_key', inheritsValue: true },
      ALL,
      'none',
    ],
    ['a missing environment', { ...EXISTING, hasEnvironment: false }, ALL, 'create'],
    ['a missing environment that it may not create', { ...EXISTING, hasEnvironment: false }, NONE, 'no_environment'],
    ['a missing project', { ...EXISTING, hasProject: false }, ALL, 'create'],
    ['a missing project that it may not create', { ...EXISTING, hasProject: false }, NONE, 'no_project'],
  ] as const)('decides about %s', (_, target, options, decision) => {
    expect(decidePull(target, options)).toBe(decision);
  });
});
