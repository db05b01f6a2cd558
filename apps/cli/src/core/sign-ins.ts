// The credentials of `strata login`, by address: in the keyring of the system, or in a file that only its owner can read.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Entry } from '@napi-rs/keyring';
import { CommandError, EXIT, unwritableFileError } from './errors.ts';

export interface StoredSignIn {
  readonly url: string;
  /** The value of the `Authorization` header. */
  readonly authorization: string;
}

/** The file lists all addresses. A sign-in without `authorization` has its credential in the keyring. */
interface Stored {
  /** The address of the last sign-in, which commands use by default. */
  readonly current: string | null;
  readonly addresses: Readonly<Record<string, { readonly authorization?: string }>>;
  /** Addresses by the names that the user has given them. */
  readonly profiles: Readonly<Record<string, string>>;
}

const SERVICE = 'strata';
const EMPTY: Stored = { current: null, addresses: {}, profiles: {} };

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the file of the sign-ins, in the folder for the settings of a user. */
export function signInsFile(env: Environment): string {
  const home = env.HOME || os.homedir();
  const config =
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA ? env.APPDATA : path.join(home, '.config'));
  return path.join(config, 'strata', 'sign-ins.json');
}

/** Returns the address of the last sign-in. */
export const readCurrentAddress = (env: Environment): string | null => read(signInsFile(env)).current;

/** Returns the addresses of the profiles by name. */
export const readProfiles = (env: Environment): ReadonlyMap<string, string> =>
  new Map(Object.entries(read(signInsFile(env)).profiles));

/** Stores a profile, or deletes it if there is no address. */
export function storeProfile(name: string, url: string | null, env: Environment): void {
  const file = signInsFile(env);
  const storedSignIns = read(file);
  const otherProfiles = Object.entries(storedSignIns.profiles).filter(([otherName]) => otherName !== name);
  write(file, {
    ...storedSignIns,
    profiles: Object.fromEntries(url === null ? otherProfiles : [...otherProfiles, [name, url]]),
  });
}

/** Makes an address the one that commands use by default. */
export function selectAddress(url: string, env: Environment): void {
  const file = signInsFile(env);
  write(file, { ...read(file), current: url });
}

/** Returns whether a credential is stored for an address. */
export const isSignedInAt = (url: string, env: Environment): boolean =>
  Object.hasOwn(read(signInsFile(env)).addresses, url);

/** Returns whether the user has signed in at an address, or has given it a name. */
export function isTrustedAddress(url: string, env: Environment): boolean {
  const { current, addresses, profiles } = read(signInsFile(env));
  return url === current || Object.hasOwn(addresses, url) || Object.values(profiles).includes(url);
}

/** Returns the credential for an address; null if the user has not signed in there. */
export async function credentialFor(url: string, env: Environment): Promise<string | null> {
  const storedSignIn = read(signInsFile(env)).addresses[url];
  if (storedSignIn === undefined) return null;
  return storedSignIn.authorization ?? inKeyring(url, (entry) => entry.getPassword());
}

/** Stores a credential and returns where it is. */
export async function storeSignIn({ url, authorization }: StoredSignIn, env: Environment): Promise<'keyring' | 'file'> {
  const file = signInsFile(env);
  const { addresses, profiles } = read(file);
  const isInKeyring = await putInKeyring(url, authorization, env);
  write(file, { current: url, addresses: { ...addresses, [url]: isInKeyring ? {} : { authorization } }, profiles });
  return isInKeyring ? 'keyring' : 'file';
}

/** Deletes the credential for an address. */
export async function removeSignIn(url: string, env: Environment): Promise<void> {
  const file = signInsFile(env);
  const { current, addresses, profiles } = read(file);
  const { [url]: removedSignIn, ...others } = addresses;
  if (removedSignIn !== undefined && removedSignIn.authorization === undefined)
    await inKeyring(url, (entry) => entry.deletePassword());
  const [next = null] = Object.keys(others);
  if (next === null && Object.keys(profiles).length === 0) fs.rmSync(file, { force: true });
  else write(file, { current: current === url ? next : current, addresses: others, profiles });
}

async function putInKeyring(url: string, authorization: string, env: Environment): Promise<boolean> {
  if (env.STRATA_KEYRING === 'off') return false;
  try {
    const entry = await keyringEntry(url);
    entry.setPassword(authorization);
    return entry.getPassword() === authorization;
  } catch {
    // There is no keyring, or it is locked or denies access.
    return false;
  }
}

/** Uses the entry of a credential that an earlier sign-in stored in the keyring. */
async function inKeyring<T>(url: string, use: (entry: Entry) => T): Promise<T> {
  try {
    return use(await keyringEntry(url));
  } catch (error) {
    throw new CommandError(EXIT.failed, `The keyring of this system cannot be used: ${(error as Error).message}`, {
      hint: 'Unlock it, or store the credential in a file: run `strata login` with STRATA_KEYRING=off.',
    });
  }
}

/**
 * Returns the entry of an address in the keyring of the system, and throws if there is no keyring. On Linux, only the
 * Secret Service counts: the keyring of the kernel is empty after the next start of the machine.
 */
async function keyringEntry(url: string): Promise<Entry> {
  const keyring = await import('@napi-rs/keyring');
  return new keyring.Entry(SERVICE, url, { linux: { store: 'secret-service' } });
}

function read(file: string): Stored {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return EMPTY;
    throw new CommandError(EXIT.failed, `${file} cannot be read (${code}).`);
  }
  try {
    return { ...EMPTY, ...(JSON.parse(text) as Partial<Stored>) };
  } catch {
    throw new CommandError(EXIT.failed, `${file} is damaged.`, { hint: 'Delete it and run `strata login`.' });
  }
}

/** Writes another file and renames it, so that a crash loses no credential. */
function write(file: string, storedSignIns: Stored): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(draft, `${JSON.stringify(storedSignIns, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw unwritableFileError(file, error);
  }
}
