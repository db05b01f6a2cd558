import { CREDENTIAL_VARIABLES, childEnvironment, problemOfNames, runsCode } from './child-environment.ts';

test.each([
  ...[
    'PATH',
    'Path',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'BASH_ENV',
    'PYTHONPATH',
    'GIT_SSH_COMMAND',
  ],
  ...['npm_config_script_shell', 'BASH_FUNC_ls%%', 'JAVA_TOOL_OPTIONS', 'PERL5OPT', 'RUBYOPT', 'DOTNET_STARTUP_HOOKS'],
  ...['MAKEFLAGS', 'GOFLAGS', 'MAVEN_OPTS', 'GRADLE_OPTS', 'RUSTC_WRAPPER', 'RUSTFLAGS', 'TF_CLI_ARGS_plan'],
])('%s can make a program run other code', (name) => {
  expect(runsCode(name)).toBe(true);
});

test.each([
  'PORT',
  'DATABASE_URL',
  'MY_PATH',
  'PATHS',
  'PYTHONUNBUFFERED',
  'NODE_ENV',
  'TZ',
  'GITHUB_SHA',
  'JAVA_OPTS',
  'UV_THREADPOOL_SIZE',
])('%s is an ordinary variable', (name) => {
  expect(runsCode(name)).toBe(false);
});

test('names that can run code are permitted one by one', () => {
  const values = { PORT: '1', PATH: '/bin', LD_PRELOAD: 'x.so' };
  expect(problemOfNames(values, ['PATH', 'LD_PRELOAD'])).toBeNull();
  expect(problemOfNames(values, ['PATH'])).toMatch(/sets LD_PRELOAD, .* add --allow-name LD_PRELOAD\.$/);
});

test.each([
  ['a name with "="', { 'A=B': '1' }],
  ['a null character', { A: '1\0' }],
])('%s cannot be an environment variable', (_, values) => {
  expect(problemOfNames(values, [])).toMatch(/cannot be an environment variable/);
});

test('values replace variables, an explicit null removes one, and the credentials are left out', () => {
  const credentials = Object.fromEntries(CREDENTIAL_VARIABLES.map((name) => [name, 'x']));
  const base = { HOME: '/root', PORT: '1', DEBUG: '1', ...credentials };
  expect(childEnvironment(base, { PORT: '2', DEBUG: null })).toEqual({ HOME: '/root', PORT: '2', DEBUG: undefined });
});
