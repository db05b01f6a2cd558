import { CREDENTIAL_VARIABLES, childEnvironment, describeInvalidEnvironment } from './child-environment.ts';

const accepted = { patterns: [], isComplete: false };

test.each([
  ['a name with "="', { 'A=B': '1' }],
  ['a null character', { A: '1\0' }],
])('%s cannot be an environment variable', (_, values) => {
  expect(describeInvalidEnvironment(values, accepted)).toMatch(/cannot be an environment variable/);
});

test('values replace variables, an explicit null removes one, and the credentials are left out', () => {
  const credentials = Object.fromEntries(CREDENTIAL_VARIABLES.map((name) => [name, 'x']));
  const base = { HOME: '/root', PORT: '1', DEBUG: '1', ...credentials };
  expect(childEnvironment(base, { PORT: '2', DEBUG: null })).toEqual({ HOME: '/root', PORT: '2', DEBUG: undefined });
});
