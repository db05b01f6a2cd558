import { canRunCode, isEveryName, matchesName, NAME_FAMILIES } from './dangerous-names.ts';

const splitNames = (text: string): readonly string[] => text.trim().split(/\s+/);

const DANGEROUS = splitNames(`
  PATH Path LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV PYTHONPATH GIT_SSH_COMMAND npm_config_script_shell
  BASH_FUNC_ls%% BASH_FUNC_ls() JAVA_TOOL_OPTIONS PERL5OPT RUBYOPT DOTNET_STARTUP_HOOKS MAKEFLAGS GOFLAGS MAVEN_OPTS
  GRADLE_OPTS RUSTC_WRAPPER RUSTFLAGS TF_CLI_ARGS_plan TAR_OPTIONS tar_options PS0 PS1 PS4 PERLLIB PERL5LIB JAVA_OPTS
  JAVA_HOME ERL_FLAGS ERL_AFLAGS BUN_OPTIONS AWS_PAGER GH_PAGER PAGER MANPAGER KUBE_EDITOR EDITOR SSH_ASKPASS VIMINIT
  EXINIT LUA_PATH LUA_CPATH_5_4 RSYNC_RSH KUBECONFIG AWS_CONFIG_FILE XDG_CONFIG_HOME OPENSSL_MODULES OPENSSL_CONF
  OPENSSL_ENGINES CFLAGS GUNICORN_CMD_ARGS PROMPT_COMMAND FZF_DEFAULT_COMMAND PYTEST_ADDOPTS LESSOPEN LESS INPUTRC
  MAILPATH GNUPGHOME R_PROFILE_USER JULIA_LOAD_PATH HELM_PLUGINS DOCKER_CONFIG CLOUDSDK_PYTHON ANSIBLE_CONFIG WGETRC
  PSQLRC TERMINFO DBUS_SESSION_BUS_ADDRESS GCONV_PATH CORECLR_PROFILER SSL_CERT_FILE NODE_EXTRA_CA_CERTS
  CC CARGO_HOME NODE_HOME APP_FLAGS FEATURE_FLAGS_OPTS PIP_INDEX_URL UV_INDEX_URL YARN_REGISTRY GOPROXY
`);

const ORDINARY = splitNames(`
  PORT HOST DATABASE_URL REDIS_URL MY_PATH PATHS PYTHONUNBUFFERED NODE_ENV TZ LANG DEBUG LOG_LEVEL GITHUB_SHA GITHUB_TOKEN
  UV_THREADPOOL_SIZE API_KEY AWS_REGION AWS_ACCESS_KEY_ID AWS_ENDPOINT_URL GOOGLE_APPLICATION_CREDENTIALS PGHOST
  PGPASSWORD MYSQL_HOST SMTP_HOST SSH_HOST SSH_KEY RAILS_ENV MIX_ENV RUST_LOG GOMAXPROCS DOTNET_ENVIRONMENT
  ASPNETCORE_URLS DJANGO_SETTINGS_MODULE TF_VAR_region OTEL_SERVICE_NAME HTTP_PROXY NO_PROXY NPM_TOKEN JAVA_VERSION
  VIMEO_TOKEN LESSONS PROMPT STACK_NAME VK_TOKEN BUNDLE_ID FLAGSHIP OPTIONS_URL PAGERDUTY_KEY EDITORIAL_URL HOMEPAGE
  FEATURE_FLAGS feature_flags
`);

test.each(DANGEROUS)('%s can make a program run other code', (name) => {
  expect(canRunCode(name)).toBe(true);
});

test.each(ORDINARY)('%s is an ordinary variable', (name) => {
  expect(canRunCode(name)).toBe(false);
});

test.each([
  ['JAVA_*', 'JAVA_OPTS', true],
  ['JAVA_*', 'MY_JAVA_OPTS', false],
  ['*_OPTS', 'JAVA_OPTS', true],
  ['*_OPTS', 'JAVA_OPTS_2', false],
  ['A*B*C', 'AxByC', true],
  ['A*BC', 'ABC', true],
  ['A*BC', 'AB', false],
  ['AB*BA', 'ABA', false],
  ['A.*', 'AB', false],
  ['PORT', 'port', false],
])('the pattern %s and the name %s', (pattern, name, matches) => {
  expect(matchesName(pattern, name)).toBe(matches);
});

test('a pattern for every name is recognized', () => {
  expect(['*', '**', '_*', '*_*'].every(isEveryName)).toBe(true);
  expect(['A*', '*A', '_', 'A'].some(isEveryName)).toBe(false);
});

test('each pattern is listed once, in upper case', () => {
  const patterns = NAME_FAMILIES.flatMap((family) => family.patterns);
  expect(patterns).toEqual([...new Set(patterns)].map((pattern) => pattern.toUpperCase()));
});
