import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** About 50 ms and 32 MiB on a common machine: slow for a guesser, bearable for a person. */
const COST: ScryptOptions = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1_048_576 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

/** `scrypt$<salt>$<key>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

const NOBODY = `scrypt$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(KEY_BYTES).toString('base64url')}`;

/** Takes the same time for a person who does not exist (null) as for a wrong password. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, salt = '', key = ''] = (hash ?? NOBODY).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && hash !== null;
}
