// The names of variables with which a value can make common programs run other code, or read other settings.

export interface NameFamily {
  /** The purpose of the variables, for the reference. */
  readonly purpose: string;
  /** Names in upper case, in which * stands for any characters. */
  readonly patterns: readonly string[];
}

const family = (purpose: string, patterns: string): NameFamily => ({ purpose, patterns: patterns.split(/\s+/) });

export const NAME_FAMILIES: readonly NameFamily[] = [
  family('arguments and commands of any program', '*_OPTIONS *_OPTS *_OPT *FLAGS *_ARGS *_COMMAND'),
  family(
    'programs that others start',
    `*PAGER *EDITOR *BROWSER *_ASKPASS *_RSH *_WRAPPER *_EXECUTABLE_PATH VISUAL CHROME_BIN FIREFOX_BIN SVN_SSH
     HGMERGE FCEDIT KUBECTL_EXTERNAL_DIFF`,
  ),
  family(
    'shells',
    `PATH PATHEXT COMSPEC SHELL IFS ENV BASH_* BASHOPTS SHELLOPTS PS0 PS1 PS2 PS3 PS4 ZDOTDIR HOME CDPATH FPATH
     MAILPATH HISTFILE INPUTRC NULLCMD READNULLCMD PSMODULEPATH *%% *()`,
  ),
  family(
    'folders of settings',
    `*_HOME *_CONFIG_DIR *_CONFIG_HOME XDG_* USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA
     PROGRAMFILES* SYSTEMROOT WINDIR IPYTHONDIR GNUPGHOME`,
  ),
  family(
    'the loader and the libraries of the system',
    `LD_* DYLD_* LIBPATH SHLIB_PATH GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH TERMINFO TERMINFO_DIRS TERMCAP
     HOSTALIASES DBUS_* KRB5_CONFIG P11_KIT_* SYSTEMD_* GTK_* GDK_* GIO_* GST_* QT_* QML* LIBGL_DRIVERS_PATH
     GBM_BACKENDS_PATH LIBVA_DRIVERS_PATH VK_ICD_FILENAMES VK_DRIVER_FILES VK_LAYER_PATH VK_ADD_* OCL_ICD_*
     CUDA_INJECTION64_PATH MAGICK_CONFIGURE_PATH MAGICK_*_MODULE_PATH GS_LIB ALSA_CONFIG_PATH`,
  ),
  family(
    'certificates and keys',
    `OPENSSL_* SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE *_CA_BUNDLE NODE_EXTRA_CA_CERTS
     NODE_TLS_REJECT_UNAUTHORIZED PYTHONHTTPSVERIFY SSH_AUTH_SOCK SSH_ASKPASS_REQUIRE SSH_SK_* SSH_PKCS11_HELPER
     SOFTHSM2_CONF GNUTLS_* GPG_AGENT_INFO NETRC`,
  ),
  family(
    'Node, Deno and Bun',
    `NODE_PATH NODE_REPL_* NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_COMPILE_CACHE NODE_ICU_DATA NODE_CHANNEL_FD
     NODE_GYP_* ELECTRON_* TS_NODE_* NPM_CONFIG_* NPM_EXECPATH NPM_NODE_EXECPATH YARN_* PNPM_* COREPACK_* NVM_*
     VOLTA_* FNM_* NODENV_* ESBUILD_BINARY_PATH PRISMA_*ENGINE* DENO_DIR DENO_CERT DENO_TLS_CA_STORE
     DENO_INSTALL_ROOT BUN_*`,
  ),
  family(
    'Python',
    `PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONUSERBASE PYTHONWARNINGS PYTHONBREAKPOINT
     PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX PYTEST_* COVERAGE_PROCESS_START JUPYTER_PATH
     JUPYTER_DATA_DIR PIP_* PIPENV_* PIPX_* POETRY_* PDM_* HATCH_* UV_* VIRTUALENV_* VIRTUAL_ENV CONDA_* PYENV_*`,
  ),
  family('Perl', 'PERL*'),
  family(
    'Ruby, PHP, Lua and Tcl',
    `RUBYLIB RUBYOPT RUBYSHELL RUBYPATH RUBYGEMS_* GEM_PATH GEM_SPEC_CACHE BUNDLE_GEMFILE BUNDLE_PATH BUNDLE_BIN
     BUNDLE_APP_CONFIG BUNDLE_USER_* BUNDLE_BUILD_* BUNDLE_MIRROR_* RBENV_* IRBRC PRYRC PHPRC PHP_INI_SCAN_DIR
     COMPOSER_* LUA_* LUAROCKS_* TCLLIBPATH TCL_LIBRARY TK_LIBRARY`,
  ),
  family(
    'Java and .NET',
    `CLASSPATH CATALINA_* MAVEN_* GRADLE_* SBT_* SDKMAN_* DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS
     DOTNET_SHARED_STORE DOTNET_ROOT* DOTNET_HOST_PATH DOTNET_BUNDLE_EXTRACT_BASE_DIR DOTNET_DIAGNOSTICPORTS
     COR_PROFILER* COR_ENABLE_PROFILING CORECLR_* COMPLUS_* ASPNETCORE_HOSTINGSTARTUPASSEMBLIES NUGET_* MSBUILD*`,
  ),
  family(
    'Go, Rust, C and builds',
    `GOPATH GOROOT GOBIN GOENV GOPROXY GONOSUMDB GOSUMDB GOPRIVATE GOINSECURE GOTOOLCHAIN GOTOOLDIR GOWORK GOCACHE
     GOCACHEPROG GOMODCACHE GOVCS GOAUTH CGO_* RUSTC* RUSTDOC* RUSTUP_* CARGO_* CC CXX CPP LD AR AS FC F77 HOSTCC
     CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX CCACHE_*
     SCCACHE_* DISTCC_* MAKEFILES MAKEOVERRIDES CMAKE_* PKG_CONFIG* M4PATH AWKPATH AWKLIBPATH BISON_PKGDATADIR
     VALGRIND_LIB TEXMF* TEXINPUTS ASDF_* MISE_*`,
  ),
  family(
    'Erlang, R, Julia, OCaml and Haskell',
    `ERL_* MIX_ARCHIVES MIX_PATH R_PROFILE* R_ENVIRON* R_LIBS* JULIA_* OCAMLPATH OCAMLRUNPARAM CAML* OPAM* CABAL_*
     GHC_* STACK_ROOT STACK_YAML STACK_CONFIG`,
  ),
  family(
    'editors and viewers',
    `VIM VIMINIT VIMRUNTIME GVIMINIT EXINIT MYVIMRC NVIM_* EMACSLOADPATH EMACSDATA LESS LESSOPEN LESSCLOSE LESSKEY*
     LESSEDIT LESSSECURE* MANPATH MANOPT LYNX_*`,
  ),
  family(
    'version control, files and archives',
    `GIT_* HGRCPATH HGPLAIN RSYNC_* TAPE GZIP BZIP BZIP2 XZ_DEFAULTS ZIP ZIPOPT UNZIP UNZIPOPT WGETRC SYSTEM_WGETRC`,
  ),
  family(
    'clients of databases',
    `PSQLRC PGOPTIONS PGSYSCONFDIR PGSERVICEFILE LIBMYSQL_PLUGIN* MYSQL_TEST_LOGIN_FILE MYSQL_PS1 ODBCINI
     ODBCSYSINI ODBCINSTINI TNS_ADMIN FREETDS FREETDSCONF REDISCLI_RCFILE`,
  ),
  family(
    'clouds, containers and infrastructure',
    `AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_DATA_PATH BOTO_CONFIG BOTO_PATH CLOUDSDK_CONFIG
     CLOUDSDK_*PYTHON CLOUDSDK_ROOT_DIR CLOUDSDK_ACTIVE_CONFIG_NAME GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES
     AZURE_EXTENSION_DIR *KUBECONFIG KUBERC HELM_* DOCKER_CONFIG DOCKER_HOST DOCKER_CONTEXT BUILDX_CONFIG
     COMPOSE_FILE COMPOSE_ENV_FILES CONTAINERS_CONF* CONTAINERS_STORAGE_CONF CONTAINERS_REGISTRIES_CONF*
     REGISTRY_AUTH_FILE TF_CLI_ARGS* TF_CLI_CONFIG_FILE TF_PLUGIN_CACHE_DIR TF_DATA_DIR TF_REATTACH_PROVIDERS
     TERRAFORM_CONFIG TERRAGRUNT_* TG_TF_PATH PACKER_* VAGRANT_* ANSIBLE_*`,
  ),
];

/**
 * Names of a family that no known program takes for arguments, commands or a path of code. libuv, a part of Node, shares its prefix with the
 * program uv. A similar name is not harmless: scripts start `$NODE_HOME/bin/node`, and builds expand `$APP_FLAGS` in their commands.
 */
export const HARMLESS_NAMES: readonly string[] = ['FEATURE_FLAGS', 'UV_THREADPOOL_SIZE', 'UV_USE_IO_URING'];

/** Returns whether a name matches a pattern, in which * stands for any characters. */
export function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const lastPart = rest.pop();
  if (lastPart === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const position = name.indexOf(part, at);
    if (position < 0) return false;
    at = position + part.length;
  }
  return name.length - lastPart.length >= at && name.endsWith(lastPart);
}

/** Returns whether a pattern permits every name, or names without anything in common. */
export const isEveryName = (pattern: string): boolean => pattern.includes('*') && !/[^*_]/.test(pattern);

const PATTERNS = NAME_FAMILIES.flatMap(({ patterns }) => patterns);

/**
 * Returns whether a value of this name could make a program run other code. Windows ignores the case of names, and some
 * programs read theirs in lower case.
 */
export function canRunCode(name: string): boolean {
  const upper = name.toUpperCase();
  return !HARMLESS_NAMES.includes(upper) && PATTERNS.some((pattern) => matchesName(pattern, upper));
}
