type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables that make a program load or run other code. Otherwise a writer of values could take over the machine
 * that runs `strata run`.
 */
const CODE_NAMES: ReadonlySet<string> = new Set(
  [
    'PATH PATHEXT COMSPEC SHELL IFS ENV BASH_ENV BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR HOME',
    'EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE BROWSER GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES OPENSSL_CONF',
    'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED ELECTRON_RUN_AS_NODE',
    'PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONUSERBASE PYTHONWARNINGS PYTHONBREAKPOINT',
    'PERL5LIB PERL5OPT PERL5DB RUBYLIB RUBYOPT GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR LUA_INIT',
    'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS',
    'DOTNET_SHARED_STORE COR_PROFILER CORECLR_PROFILER COR_ENABLE_PROFILING CORECLR_ENABLE_PROFILING',
    'MAKEFLAGS GNUMAKEFLAGS MAKEFILES GOFLAGS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS RUSTC RUSTC_WRAPPER',
    'RUSTC_WORKSPACE_WRAPPER RUSTFLAGS',
  ].flatMap((line) => line.split(' ')),
);
const CODE_PREFIXES = [
  'LD_',
  'DYLD_',
  'BASH_FUNC_',
  'GIT_',
  'NPM_CONFIG_',
  'TF_CLI_ARGS',
  'LUA_INIT_',
  'COR_PROFILER_',
  'CORECLR_PROFILER_',
];

/** Whether a value of this name could make a program run other code. Windows ignores the case of names. */
export function runsCode(name: string): boolean {
  const upper = name.toUpperCase();
  return CODE_NAMES.has(upper) || CODE_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/** Returns the reason why these values cannot be the environment of a program; null if they can. */
export function problemOfNames(values: Variables, allowed: readonly string[]): string | null {
  const refused = Object.keys(values).filter((name) => runsCode(name) && !allowed.includes(name));
  if (refused.length > 0)
    return `The configuration sets ${refused.join(', ')}, which can make a program run other code. To permit it, add ${refused.map((name) => `--allow-name ${name}`).join(' ')}.`;
  const malformed = Object.entries(values).find(([name, text]) => /[=\0]/.test(name) || text?.includes('\0'));
  return malformed ? `"${malformed[0]}" cannot be an environment variable: it contains "=" or a null character.` : null;
}

/** The variables with a credential, or with the name of a file that contains one. The first one that is set is used. */
export const CREDENTIAL_VARIABLES = [
  'STRATA_API_KEY',
  'STRATA_API_KEY_FILE',
  'STRATA_ID_TOKEN',
  'STRATA_ID_TOKEN_FILE',
] as const;

const isCredential = (name: string): boolean => (CREDENTIAL_VARIABLES as readonly string[]).includes(name);

/**
 * Returns the environment of a program: that of this process, without credentials of Strata, and the values. An
 * explicit null removes the variable.
 */
export function childEnvironment(base: Variables, values: Readonly<Record<string, string | null>>): Variables {
  const inherited = Object.fromEntries(Object.entries(base).filter(([name]) => !isCredential(name)));
  const texts = Object.entries(values).map(([name, text]) => [name, text ?? undefined]);
  return { ...inherited, ...Object.fromEntries(texts) };
}
