import { scryptSync } from 'node:crypto';
import { hashPassword, isPassword } from './password.ts';

const CHEAP = 4;

describe('a password', () => {
  it('matches its hash and no other hash', async () => {
    const hash = await hashPassword('correct horse');

    expect(hash).toMatch(/^scrypt\$15\$[\w-]{22}\$[\w-]{43}$/);
    expect(await isPassword('correct horse', hash)).toBe(true);
    expect(await isPassword('correct horse ', hash)).toBe(false);
  });

  it('has a different hash each time', async () => {
    expect(await hashPassword('same', CHEAP)).not.toBe(await hashPassword('same', CHEAP));
  });

  it('remains valid when the cost of hashes changes', async () => {
    expect(await isPassword('old', await hashPassword('old', CHEAP))).toBe(true);
    expect(await isPassword('new', await hashPassword('new', CHEAP + 1))).toBe(true);
  });

  it('remains valid if its hash does not contain the cost, like the oldest hashes', async () => {
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync('first', salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1_048_576 });
    const hash = `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;

    expect(await isPassword('first', hash)).toBe(true);
    expect(await isPassword('second', hash)).toBe(false);
  });

  it('is the same in every Unicode normalization form', async () => {
    const hash = await hashPassword('Zoe\u0308', CHEAP);
    expect(await isPassword('Zo\u00eb', hash)).toBe(true);
  });

  it('never matches without a stored hash', async () => {
    expect(await isPassword('', null)).toBe(false);
  });
});
