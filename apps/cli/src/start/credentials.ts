// The secrets of the data directory. They are created once, stored in a file that only its owner can read, and passed
// to the services in their environment.
import { hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const text = (bytes: number): string => randomBytes(bytes).toString('base64url');

type Name =
  | 'api_key'
  | 'owner_email'
  | 'owner_password'
  | 'root_key'
  | 'session_key'
  | 'checkpoint_key'
  | 'database_password'
  | 'core_database_password';

/** The functions that create the credentials, by name. */
const MAKE: Readonly<Record<Name, (stored: Partial<StartCredentials>) => string>> = {
  api_key: () => `${randomBytes(4).toString('hex')}.${text(32)}`,
  owner_email: () => 'owner@strata.local',
  owner_password: () => text(18),
  root_key: () => randomBytes(32).toString('base64'),
  /** Earlier releases derived this key from the root key, and sessions of browsers remain valid. */
  session_key: ({ root_key: rootKey }: Partial<StartCredentials>) =>
    rootKey ? deriveSessionKey(rootKey) : randomBytes(32).toString('base64'),
  checkpoint_key: () => randomBytes(32).toString('base64'),
  /** The password of the owner of the embedded database. The core does not get it. */
  database_password: () => text(24),
  core_database_password: () => text(24),
};

export type StartCredentials = Readonly<
  Record<Name, string> & {
    /** The root key before `root_key`, until `strata keys rotate` has replaced it. */
    previous_root_key?: string;
  }
>;
const NAMES = Object.keys(MAKE) as Name[];

/** Returns the key of browser sessions that earlier releases derived from the root key. */
export function deriveSessionKey(rootKey: string): string {
  const label = 'strata sessions of browsers';
  return Buffer.from(hkdfSync('sha256', Buffer.from(rootKey, 'base64'), '', label, 32)).toString('base64');
}

/** Reads credentials.json, and creates or completes it. Throws a sentence for the operator if that is impossible. */
export function readCredentials(dataDir: string): StartCredentials {
  const file = path.join(dataDir, 'credentials.json');
  const storedCredentials = read(file);
  const newCredentials = Object.fromEntries(
    NAMES.map((name) => [name, storedCredentials[name] ?? MAKE[name](storedCredentials)]),
  ) as StartCredentials;
  const credentials = { ...storedCredentials, ...newCredentials };
  if (NAMES.some((name) => storedCredentials[name] === undefined)) write(file, credentials);
  else fs.chmodSync(file, 0o600);
  return credentials;
}

/** The settings that contain the root keys. */
export interface InstallationRootKeys {
  readonly STRATA_ROOT_KEY: string;
  readonly STRATA_PREVIOUS_ROOT_KEY: string | undefined;
}

/** Returns the root keys of the settings, or else of the data directory. */
export const rootKeySettings = (
  env: Readonly<Record<string, string | undefined>>,
  { root_key: current, previous_root_key: previous }: StartCredentials,
): InstallationRootKeys => ({
  STRATA_ROOT_KEY: env.STRATA_ROOT_KEY || current,
  STRATA_PREVIOUS_ROOT_KEY: env.STRATA_PREVIOUS_ROOT_KEY || previous,
});

/** Stores a key that a setting provided, so that the file contains the valid key. */
export function keepApiKey(dataDir: string, credentials: StartCredentials, apiKey: string): void {
  if (apiKey === credentials.api_key) return;
  write(path.join(dataDir, 'credentials.json'), { ...credentials, api_key: apiKey });
}

function read(file: string): Partial<StartCredentials> {
  if (!fs.existsSync(file)) return {};
  try {
    const content = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Record<Name, unknown>>;
    const isText = (name: Name) => typeof content[name] === 'string' && content[name] !== '';
    if (NAMES.every((name) => content[name] === undefined || isText(name))) return content as Partial<StartCredentials>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw new Error(`${file} belongs to another user.`);
  }
  throw new Error(
    `${file} is damaged. Put a good copy back: without its root_key the secret values in the database cannot be opened.`,
  );
}

// Writes a new file and renames it, because a crash in the middle must not lose the root key.
function write(file: string, credentials: StartCredentials): void {
  const draft = `${file}.new`;
  const handle = fs.openSync(draft, 'w', 0o600);
  fs.writeFileSync(handle, `${JSON.stringify(credentials, undefined, 2)}\n`);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.chmodSync(draft, 0o600);
  fs.renameSync(draft, file);
}
