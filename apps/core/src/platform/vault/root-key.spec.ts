import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { IntegrityError, openBytes, RootKey, sealBytes } from './root-key.ts';

const key = randomBytes(32);
const CONTEXT = 'strata|v1|organization|value.sealed|row';
const HEADER = { version: 1, nonce: 12, tag: 16 };
const HEADER_BYTES = HEADER.version + HEADER.nonce + HEADER.tag;

const isRejected = (envelope: Buffer, location = CONTEXT, with_ = key) => {
  try {
    openBytes(with_, location, envelope);
    return false;
  } catch (error) {
    return error instanceof IntegrityError;
  }
};

describe('sealed bytes', () => {
  it('decrypt to exactly the original bytes, and differ each time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_096 }), (bytes) => {
        const plain = Buffer.from(bytes);
        const [first, two] = [sealBytes(key, CONTEXT, plain), sealBytes(key, CONTEXT, plain)];
        expect(openBytes(key, CONTEXT, first).equals(plain)).toBe(true);
        expect(first.equals(two)).toBe(false);
        expect(first).toHaveLength(HEADER_BYTES + plain.length);
      }),
    );
  });

  it('are rejected after any change: ten thousand envelopes with bits flipped, bytes cut or added, or parts exchanged', () => {
    const envelope = sealBytes(key, CONTEXT, Buffer.from('a secret of some length'));
    const sibling = sealBytes(key, CONTEXT, Buffer.from('another one, as long...'));
    const at = fc.nat(envelope.length - 1);
    const mutant = fc.oneof(
      fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([position, mask]) => {
        const copy = Buffer.from(envelope);
        copy[position] = (copy[position] ?? 0) ^ mask;
        return copy;
      }),
      at.map((end) => envelope.subarray(0, end)),
      at.map((start) => envelope.subarray(start + 1)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((tail) => Buffer.concat([envelope, tail])),
      fc
        .integer({ min: 1, max: envelope.length - 1 })
        .map((cut) => Buffer.concat([envelope.subarray(0, cut), sibling.subarray(cut)])),
      fc.tuple(at, at).map(([from, to]) => {
        const copy = Buffer.from(envelope);
        [copy[from], copy[to]] = [copy[to] ?? 0, copy[from] ?? 0];
        return copy;
      }),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    );
    let altered = 0;
    fc.assert(
      fc.property(mutant, (bytes) => {
        if (bytes.equals(envelope) || bytes.equals(sibling)) return true;
        altered += 1;
        return isRejected(bytes);
      }),
      { numRuns: 10_500 },
    );
    expect(altered).toBeGreaterThan(10_000);
  });

  it('are rejected if they were sealed with a shorter tag', () => {
    for (const authTagLength of [4, 8, 12, 13, 14, 15]) {
      const nonce = randomBytes(HEADER.nonce);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength });
      cipher.setAAD(Buffer.from(CONTEXT));
      const sealed = Buffer.concat([cipher.update(Buffer.alloc(64, 'x')), cipher.final()]);
      const tag = cipher.getAuthTag();
      expect(tag).toHaveLength(authTagLength);
      expect(isRejected(Buffer.concat([Buffer.from([HEADER.version]), nonce, tag, sealed]))).toBe(true);
    }
  });

  it('are rejected if they have another format version', () => {
    const envelope = sealBytes(key, CONTEXT, Buffer.from('x'));
    for (let version = 0; version < 256; version += 1) {
      if (version === HEADER.version) continue;
      envelope[0] = version;
      expect(isRejected(envelope)).toBe(true);
    }
  });

  it('are rejected in another organization, column or row, and with another key', () => {
    const envelope = sealBytes(key, CONTEXT, Buffer.from('x'));
    for (const location of [
      CONTEXT.replace('organization', 'other'),
      CONTEXT.replace('value.sealed', 'webhook.token'),
      CONTEXT.replace('row', 'another'),
      '',
    ]) {
      expect(isRejected(envelope, location)).toBe(true);
    }
    expect(isRejected(envelope, CONTEXT, randomBytes(32))).toBe(true);
    expect(isRejected(envelope)).toBe(false);
  });
});

describe('the root key', () => {
  const bytes = randomBytes(32);
  const root = new RootKey(bytes);

  it('has 32 bytes', () => {
    for (const length of [0, 16, 31, 33, 64]) expect(() => new RootKey(randomBytes(length))).toThrow('32 bytes');
  });

  it('has a check value that depends only on the key and is not the key', () => {
    const otherBytes = Buffer.from(bytes);
    otherBytes[31] = (otherBytes[31] ?? 0) ^ 1;
    expect(new RootKey(Buffer.from(bytes)).checkValue()).toEqual(root.checkValue());
    expect(new RootKey(otherBytes).checkValue()).not.toEqual(root.checkValue());
    expect(bytes.includes(root.checkValue())).toBe(false);
  });

  it('wraps the key of an organization for that organization only', () => {
    const dataKey = randomBytes(32);
    const wrapped = root.wrap('one', dataKey);
    expect(root.unwrap('one', wrapped)).toEqual(dataKey);
    expect(() => root.unwrap('other', wrapped)).toThrow(IntegrityError);
    expect(() => new RootKey(randomBytes(32)).unwrap('one', wrapped)).toThrow(IntegrityError);
    expect(wrapped.includes(dataKey)).toBe(false);
  });

  it('derives different values for different purposes', () => {
    const { d } = root.tokenKey();
    const values = [bytes, root.checkValue(), root.apiKeyHmac('k'), Buffer.from(d ?? '', 'base64url')];
    expect(new Set(values.map((value) => value.toString('hex'))).size).toBe(values.length);
    expect(new RootKey(bytes).tokenKey()).toEqual(root.tokenKey());
  });
});
