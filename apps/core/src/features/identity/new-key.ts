import { randomBytes, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_BYTES = 32;

export interface NewKey {
  /** The public part of the key, which finds the row and is shown in lists. */
  readonly prefix: string;
  /** The whole key: prefix, dot, secret. It is shown once. */
  readonly key: string;
}

export function newKey(): NewKey {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { prefix, key: `${prefix}.${randomBytes(SECRET_BYTES).toString('base64url')}` };
}
