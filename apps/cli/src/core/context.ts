import { Client, type ClientCredential } from './client.ts';
import { CommandError, EXIT, invalidInputError } from './errors.ts';
import { CREDENTIAL_VARIABLES } from './programs/child-environment.ts';
import { type ProjectFile, projectFile } from './project-file.ts';
import { readInput } from './prompt.ts';
import { credentialFor, readCurrentAddress, readProfiles } from './sign-ins.ts';
import { exchangeWorkloadToken } from './workload.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of every command that talks to Strata. */
export interface TargetOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly project?: string;
  readonly environment?: string;
  readonly json?: boolean;
}

/** The target of a command: an address with a credential, a project and an environment. */
export class Context {
  constructor(
    readonly client: Client,
    readonly selectedProject: string | null,
    readonly selectedEnvironment: string | null,
    readonly credential: ClientCredential,
  ) {}

  /** Throws if no project is selected. */
  get project(): string {
    return selected('project', this.selectedProject);
  }

  /** Throws if no environment is selected. */
  get environment(): string {
    return selected('environment', this.selectedEnvironment);
  }
}

interface Address {
  readonly url: string;
  /** Whether the user or the environment selected it, and not a file of a repository or an earlier sign-in. */
  readonly isExplicit: boolean;
}

/** Reads the options, the environment variables, the project file and the sign-ins, in this order. */
export async function loadContext(
  options: TargetOptions,
  env: Environment = process.env,
  folder: string = process.cwd(),
): Promise<Context> {
  const file = projectFile(folder);
  const address = readAddress(options, env, file);
  const credential = await readCredential(address, env);
  const { project, environment } = readSelection(options, env, file);
  return new Context(new Client(address.url, credential), project, environment, credential);
}

/** Returns the project and the environment of the options, the environment variables or the project file. */
export function readSelection(options: TargetOptions, env: Environment, file: ProjectFile | null) {
  return {
    project: options.project ?? (env.STRATA_PROJECT || undefined) ?? file?.project ?? null,
    environment: options.environment ?? (env.STRATA_ENVIRONMENT || undefined) ?? file?.environment ?? null,
  };
}

export function requireProfileName(name: string): void {
  if (name === '')
    throw invalidInputError('The name of a profile must not be empty.', '`strata profile list` lists the profiles.');
}

/** Returns the address of a profile; undefined without a name. */
function profileAddress(name: string | undefined, env: Environment): string | undefined {
  if (name === undefined) return undefined;
  requireProfileName(name);
  const profiles = readProfiles(env);
  const url = profiles.get(name);
  if (url !== undefined) return url;
  throw invalidInputError(
    `There is no profile "${name}".`,
    profiles.size > 0
      ? `Profiles: ${[...profiles.keys()].join(', ')}.`
      : 'Create one with `strata login --profile <name> --url <address>`.',
  );
}

/** Returns the address of the options, the environment, the project file or the last sign-in. */
export function readAddress(options: TargetOptions, env: Environment, file: ProjectFile | null): Address {
  const explicitUrl =
    options.url ??
    profileAddress(options.profile, env) ??
    (env.STRATA_URL || profileAddress(env.STRATA_PROFILE || undefined, env));
  const url = explicitUrl ?? file?.url ?? readCurrentAddress(env);
  if (!url)
    throw invalidInputError(
      'No address of Strata is selected.',
      'Run `strata login --url <address>`, or set STRATA_URL, STRATA_PROFILE, --url or --profile.',
    );
  return { url: normalizeUrl(url), isExplicit: explicitUrl !== undefined };
}

async function readCredential({ url, isExplicit }: Address, env: Environment): Promise<ClientCredential> {
  const source = CREDENTIAL_VARIABLES.find((name) => env[name]);
  if (source !== undefined) {
    // A file in a cloned repository must not decide where the credential is sent.
    if (!isExplicit)
      throw invalidInputError(
        `${source} is set, but the address is not.`,
        'Set STRATA_URL, STRATA_PROFILE, --url or --profile. The credential is sent only to an address that you select.',
      );
    const text = async () =>
      source.endsWith('_FILE') ? readInput(env[source] ?? '', `The file of ${source}`) : (env[source] ?? '');
    if (source.startsWith('STRATA_API_KEY')) return apiKeyHeader(await text());
    // The file of a pod's token is renewed, so each exchange reads it again.
    return { token: async () => exchangeWorkloadToken(url, await text(), env.STRATA_SERVICE_ACCOUNT) };
  }
  const storedCredential = await credentialFor(url, env);
  if (storedCredential !== null) return storedCredential;
  throw new CommandError(EXIT.notSignedIn, `You are not signed in at ${url}.`, {
    hint: `Run \`strata login --url ${url}\`, or set STRATA_URL or STRATA_PROFILE, with STRATA_API_KEY or STRATA_ID_TOKEN.`,
  });
}

/** Returns the header for an API key. Without the check, the error of `fetch` would quote the key. */
export function apiKeyHeader(key: string): string {
  const text = key.trim();
  if (!/^[\x21-\x7e]+$/.test(text))
    throw invalidInputError(
      'The API key is malformed.',
      'An API key has no spaces and no line breaks, such as 1a2b3c4d.….',
    );
  return `Api-Key ${text}`;
}

function selected(kind: 'project' | 'environment', name: string | null): string {
  if (name) return name;
  throw invalidInputError(
    `No ${kind} is selected.`,
    `Add --${kind}, set STRATA_${kind.toUpperCase()}, or write "${kind}" into strata.json.`,
  );
}

export function normalizeUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidInputError('The address of Strata is invalid.', 'An address begins with https:// or http://.');
  if (url.username || url.password || url.search || url.hash)
    throw invalidInputError('The address must not contain a user, a password, a query or a fragment.');
  return url.href.replace(/\/+$/, '');
}
