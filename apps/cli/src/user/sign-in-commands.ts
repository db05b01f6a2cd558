import type { AuthToken, SessionStart, User } from '@strata/contract';
import { Client } from './client.ts';
import { CommandError, EXIT, invalid } from './command-error.ts';
import { consoleAddress } from './console-page.ts';
import { addressOf, contextOf, headerOf, type TargetOptions } from './context.ts';
import { print, printJson } from './output.ts';
import { projectFile } from './project-file.ts';
import { promptSecret, readInput, readStdin, withoutLineEnd } from './prompt.ts';
import { credentialFor, isKnownAddress, removeSignIn, signInsFile, storeSignIn } from './sign-ins.ts';

interface LoginOptions extends TargetOptions {
  readonly key?: boolean;
  readonly keyFile?: string;
  readonly email?: string;
  /** Whether to open the browser. If it is false, the user opens the page and enters the code that it shows. */
  readonly browser?: boolean;
  readonly console?: string;
}

/** Signs in by browser, with an API key, or with an e-mail address and a password, and stores the credential. */
export async function login({ json, ...options }: LoginOptions): Promise<void> {
  const url = signInAddress(options);
  const { user, storedIn } = await signedIn(url, options);
  if (json) return printJson({ url, ...described(user), stored_in: storedIn });
  const where = storedIn === 'keyring' ? 'the keyring of this system' : signInsFile(process.env);
  print(`Signed in at ${url} as ${user.name} (${user.organization_name}).\nThe credential is in ${where}.`);
}

/** A file in a cloned repository must not decide who receives a password, a key or a sign-in code. */
function signInAddress(options: LoginOptions): string {
  const { url, isExplicit } = addressOf(options, process.env, projectFile(process.cwd()));
  if (isExplicit || isKnownAddress(url, process.env)) return url;
  throw invalid(
    `strata.json selects ${url}, where you have not signed in yet.`,
    `If you trust this address, run \`strata login --url ${url}\`.`,
  );
}

function signedIn(url: string, options: LoginOptions) {
  const { email, key = false, keyFile, browser, console } = options;
  if (email !== undefined) return passwordSignIn(url, email);
  const isPiped = browser === undefined && !process.stdin.isTTY;
  if (key || keyFile !== undefined || isPiped) return keySignIn(url, keyFile);
  return browserSignIn(url, console, browser ?? true);
}

async function keySignIn(url: string, keyFile: string | undefined) {
  if (keyFile !== undefined) return stored(url, headerOf(await readInput(keyFile, 'The file of --key-file')));
  return stored(url, headerOf(process.stdin.isTTY ? await promptSecret('API key') : await readStdin()));
}

async function passwordSignIn(url: string, email: string) {
  const password = process.stdin.isTTY ? await promptSecret('Password') : withoutLineEnd(await readStdin());
  return stored(url, await sessionHeader(url, { email, password, client: 'strata command line' }));
}

async function browserSignIn(url: string, console: string | undefined, hasBrowser: boolean) {
  const origin = await consoleAddress(console, () => url);
  const { assertPage, signInByBrowser } = await import('./browser-sign-in.ts');
  await assertPage(origin);
  return signInByBrowser({
    origin,
    hasBrowser,
    complete: async ({ code, verifier }) =>
      stored(url, await sessionHeader(url, { code, code_verifier: verifier }).catch(explainCode)),
  });
}

async function sessionHeader(url: string, body: SessionStart): Promise<string> {
  const token = await new Client(url, null).post<AuthToken>('auth/session/', body);
  return `Bearer ${token.access_token}`;
}

function explainCode(error: unknown): never {
  if (!(error instanceof CommandError) || error.details.code !== 'bad_credential') throw error;
  throw new CommandError(EXIT.notSignedIn, 'The code is wrong, has expired or was used already.', {
    ...error.details,
    hint: 'Run `strata login` again. A code is valid for one minute.',
  });
}

/** Stores a credential that Strata accepts, and ends the session that it replaces. */
async function stored(url: string, authorization: string) {
  const replaced = await credentialFor(url, process.env).catch(() => null);
  const signedIn = await storedOrEnded(url, authorization);
  await endSession(url, replaced);
  return signedIn;
}

/** Stores a credential. If that fails, its session is ended, because no command can use it. */
async function storedOrEnded(url: string, authorization: string) {
  try {
    const user = await new Client(url, authorization).get<User>('users/current/');
    return { user, storedIn: await storeSignIn({ url, authorization }, process.env) };
  } catch (error) {
    await endSession(url, authorization);
    throw error;
  }
}

/** Deletes the stored credential, and ends the session if it is one. */
export async function logout({ json, ...options }: TargetOptions): Promise<void> {
  const { url } = addressOf(options, process.env, projectFile(process.cwd()));
  const authorization = await credentialFor(url, process.env);
  await removeSignIn(url, process.env);
  const ended = await endSession(url, authorization);
  if (json) return printJson({ url, was_signed_in: authorization !== null, session_ended: ended });
  if (authorization === null) return print(`You were not signed in at ${url}.`);
  print(
    `Signed out at ${url}.${ended === false ? ' The session could not be ended: it expires within 12 hours.' : ''}`,
  );
}

/** Ends the session of a credential. Returns whether that succeeded; null if the credential is not a session. */
async function endSession(url: string, authorization: string | null): Promise<boolean | null> {
  if (!authorization?.startsWith('Bearer ')) return null;
  try {
    await new Client(url, authorization).send('DELETE', 'auth/session/');
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** Prints the account of the credential, and what the other commands would use. */
export async function whoami({ json, ...options }: TargetOptions): Promise<void> {
  const context = await contextOf(options);
  const user = await context.client.get<User>('users/current/');
  const { selectedProject, selectedEnvironment } = context;
  if (json) {
    const selection = { project: selectedProject, environment: selectedEnvironment };
    return printJson({ url: context.client.url, ...described(user), ...selection });
  }
  const rows: readonly (readonly [string, string | null])[] = [
    ['Address', context.client.url],
    ['Account', `${user.name} (${user.type === 'service' ? 'service account' : user.email})`],
    ['Organization', user.organization_name],
    ['Role', user.role],
    ['Project', selectedProject ?? 'none selected'],
    ['Environment', selectedEnvironment ?? 'none selected'],
  ];
  print(rows.map(([title, text]) => `${title.padEnd(13)} ${text ?? ''}`).join('\n'));
}

const described = ({ name, email, type, organization_name, role }: User) => ({
  account: name,
  email,
  type,
  organization: organization_name,
  role,
});
