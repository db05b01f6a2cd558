import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * The scrypt cost as an exponent of two. A hash takes about 50 ms and 32 MiB on a common machine, which is slow for an
 * attacker and acceptable for a person.
 */
const COST = 15;
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * BLOCK_SIZE * (N + 16) };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

const written = (cost: number, salt: Buffer, key: Buffer): string =>
  `scrypt$${cost}$${salt.toString('base64url')}$${key.toString('base64url')}`;

/**
 * Returns `scrypt$<cost>$<salt>$<key>`. The hash contains its cost, so that the cost can be raised while old hashes
 * stay valid.
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return written(cost, salt, await derive(password, salt, cost));
}

const DUMMY_HASH = written(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));

/**
 * Returns whether the password matches the hash. Takes as long without a hash (an unknown person) as for a wrong
 * password.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = (hash ?? DUMMY_HASH).split('$').slice(1);
  // The oldest hashes do not contain their cost.
  const [cost = '', salt = '', key = ''] = parts.length === 2 ? [String(COST), ...parts] : parts;
  const derivedKey = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  return timingSafeEqual(derivedKey, Buffer.from(key, 'base64url')) && hash !== null;
}
