import type { SessionStart } from '@strata/contract';
import { accountOutput, endSession } from '../../api/sessions.ts';
import { Client } from '../../core/client.ts';
import { consoleAddress } from '../../core/console-page.ts';
import { apiKeyHeader, readAddress, requireProfileName, type TargetOptions } from '../../core/context.ts';
import { defineCommand, flagOption, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { toOneLine } from '../../core/one-line.ts';
import { CONSOLE, URL_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';
import { projectFile } from '../../core/project-file.ts';
import { promptSecret, readInput, readStdin, withoutLineEnd } from '../../core/prompt.ts';
import {
  credentialFor,
  isTrustedAddress,
  readProfiles,
  signInsFile,
  storeProfile,
  storeSignIn,
} from '../../core/sign-ins.ts';

const OTHER_WAYS = { conflicts: ['browser', 'email'] };

/** Signs in by browser, with an API key, or with an e-mail address and a password, and stores the credential. */
export const command = defineCommand({
  description:
    'sign in by browser on a terminal, otherwise with an API key from standard input, and store the credential',
  options: {
    ...URL_OPTIONS,
    profile: textOption('--profile <name>', 'name of the address, for --profile of other commands'),
    browser: flagOption('--browser', 'sign in by browser, even if standard input is not a terminal', {
      negated: 'sign in by a browser on another machine: print the address, and read the code',
    }),
    console: CONSOLE,
    key: flagOption('--key', 'sign in with an API key, which is read from the terminal or standard input', OTHER_WAYS),
    keyFile: textOption('--key-file <file>', 'sign in with an API key, which is read from a file', OTHER_WAYS),
    email: textOption(
      '--email <address>',
      'sign in with a password, which is read from the terminal or standard input',
      {
        conflicts: ['browser'],
      },
    ),
  },
  async run(_, { json, ...options }) {
    if (options.profile !== undefined) requireProfileName(options.profile);
    const url = signInAddress(options);
    const { user, storedIn } = await signedIn(url, options);
    if (options.profile !== undefined) storeProfile(options.profile, url, process.env);
    if (json) return printJson({ url, ...accountOutput(user), stored_in: storedIn });
    const storeDescription = storedIn === 'keyring' ? 'the keyring of this system' : signInsFile(process.env);
    print(
      `Signed in at ${url} as ${toOneLine(`${user.name} (${user.organization_name})`)}.\nThe credential is in ${storeDescription}.`,
    );
  },
});

interface LoginOptions extends TargetOptions {
  readonly key?: boolean;
  readonly keyFile?: string;
  readonly email?: string;
  /** Whether to open the browser. If it is false, the user opens the page and enters the code that it shows. */
  readonly browser?: boolean;
  readonly console?: string;
}

/** A file in a cloned repository must not decide who receives a password, a key or a sign-in code. */
function signInAddress({ profile, ...options }: LoginOptions): string {
  const isNew = profile !== undefined && !readProfiles(process.env).has(profile);
  const target = isNew || options.url !== undefined || profile === undefined ? options : { ...options, profile };
  const file = projectFile(process.cwd());
  const { url, isExplicit } = readAddress(target, process.env, file);
  if (isExplicit || isTrustedAddress(url, process.env)) return url;
  throw invalidInputError(
    `${file?.file} selects ${url}, where you have not signed in yet.`,
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
  if (keyFile !== undefined) return stored(url, apiKeyHeader(await readInput(keyFile, 'The file of --key-file')));
  return stored(url, apiKeyHeader(process.stdin.isTTY ? await promptSecret('API key') : await readStdin()));
}

async function passwordSignIn(url: string, email: string) {
  const password = process.stdin.isTTY ? await promptSecret('Password') : withoutLineEnd(await readStdin());
  return stored(url, await sessionHeader(url, { email, password, client: 'strata command line' }));
}

async function browserSignIn(url: string, console: string | undefined, hasBrowser: boolean) {
  const origin = await consoleAddress(console, () => url);
  const { assertPage, signInByBrowser } = await import('./login/browser-sign-in.ts');
  await assertPage(origin);
  return signInByBrowser({
    origin,
    hasBrowser,
    complete: async ({ code, verifier }) =>
      stored(url, await sessionHeader(url, { code, code_verifier: verifier }).catch(explainCode)),
  });
}

async function sessionHeader(url: string, body: SessionStart): Promise<string> {
  const token = await new Client(url, null).call('auth_session_create', { body });
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
  const replacedCredential = await credentialFor(url, process.env).catch(() => null);
  const signedInResult = await storedOrEnded(url, authorization);
  await endSession(url, replacedCredential);
  return signedInResult;
}

/** Stores a credential. If that fails, its session is ended, because no command can use it. */
async function storedOrEnded(url: string, authorization: string) {
  try {
    const user = await new Client(url, authorization).call('users_current_retrieve');
    return { user, storedIn: await storeSignIn({ url, authorization }, process.env) };
  } catch (error) {
    await endSession(url, authorization);
    throw error;
  }
}
