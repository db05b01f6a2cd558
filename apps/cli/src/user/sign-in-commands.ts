import type { AuthToken, User } from '@strata/contract';
import { Client } from './client.ts';
import { CommandError } from './command-error.ts';
import { addressOf, contextOf, headerOf, type TargetOptions } from './context.ts';
import { print, printJson } from './output.ts';
import { projectFile } from './project-file.ts';
import { promptSecret, readInput, readStdin, withoutLineEnd } from './prompt.ts';
import { credentialFor, removeSignIn, signInsFile, storeSignIn } from './sign-ins.ts';

interface LoginOptions extends TargetOptions {
  readonly keyFile?: string;
  readonly email?: string;
}

/** Signs in with an API key, or with an e-mail address and a password, and stores the credential. */
export async function login({ keyFile, email, json, ...options }: LoginOptions): Promise<void> {
  const { url } = addressOf(options, process.env, projectFile(process.cwd()));
  const authorization = email === undefined ? await keyHeader(keyFile) : await sessionHeader(url, email);
  const user = await new Client(url, authorization).get<User>('users/current/');
  const storedIn = await storeSignIn({ url, authorization }, process.env);
  if (json) return printJson({ url, ...described(user), stored_in: storedIn });
  const where = storedIn === 'keyring' ? 'the keyring of this system' : signInsFile(process.env);
  print(`Signed in at ${url} as ${user.name} (${user.organization_name}).\nThe credential is in ${where}.`);
}

async function keyHeader(keyFile: string | undefined): Promise<string> {
  if (keyFile !== undefined) return headerOf(await readInput(keyFile));
  return headerOf(process.stdin.isTTY ? await promptSecret('API key') : await readStdin());
}

async function sessionHeader(url: string, email: string): Promise<string> {
  const password = process.stdin.isTTY ? await promptSecret('Password') : withoutLineEnd(await readStdin());
  const body = { email, password, client: 'strata command line' };
  const token = await new Client(url, null).post<AuthToken>('auth/session/', body);
  return `Bearer ${token.access_token}`;
}

/** Deletes the stored credential, and ends the session if it is one. */
export async function logout({ json, ...options }: TargetOptions): Promise<void> {
  const { url } = addressOf(options, process.env, projectFile(process.cwd()));
  const authorization = await credentialFor(url, process.env);
  await removeSignIn(url, process.env);
  const ended = authorization?.startsWith('Bearer ') ? await endSession(new Client(url, authorization)) : null;
  if (json) return printJson({ url, was_signed_in: authorization !== null, session_ended: ended });
  if (authorization === null) return print(`You were not signed in at ${url}.`);
  print(
    `Signed out at ${url}.${ended === false ? ' The session could not be ended: it expires within 12 hours.' : ''}`,
  );
}

async function endSession(client: Client): Promise<boolean> {
  try {
    await client.send('DELETE', 'auth/session/');
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
