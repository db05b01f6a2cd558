import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { IntegrityError, openBytes, RootKey, RootKeys, sealBytes } from './root-key.ts';
import { ServiceKeys } from './service-keys.ts';

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

  it('has an id that depends only on the key and is not the key', () => {
    const otherBytes = Buffer.from(bytes);
    otherBytes[31] = (otherBytes[31] ?? 0) ^ 1;
    expect(new RootKey(Buffer.from(bytes)).id).toEqual(root.id);
    expect(new RootKey(otherBytes).id).not.toEqual(root.id);
    expect(bytes.includes(root.id)).toBe(false);
  });

  it('wraps a key for one row only', () => {
    const dataKey = randomBytes(32);
    const wrapped = root.wrap('organization_key|one', dataKey);
    expect(root.unwrap('organization_key|one', wrapped.wrapped_key)).toEqual(dataKey);
    expect(() => root.unwrap('organization_key|other', wrapped.wrapped_key)).toThrow(IntegrityError);
    expect(() => root.unwrap('service_key|one', wrapped.wrapped_key)).toThrow(IntegrityError);
    expect(wrapped.wrapped_key.includes(dataKey)).toBe(false);
  });
});

describe('two root keys', () => {
  const [current, previous, unknown] = [randomBytes(32), randomBytes(32), randomBytes(32)].map(
    (b) => new RootKey(b),
  ) as [RootKey, RootKey, RootKey];
  const rootKeys = new RootKeys(current, previous);
  const key = randomBytes(32);

  it('unwrap what either of them has wrapped, with its id and without', () => {
    for (const rootKey of [current, previous]) {
      const wrapped = rootKey.wrap('service_key|token', key);
      expect(rootKeys.unwrap('service_key|token', wrapped)).toEqual(key);
      expect(rootKeys.unwrap('service_key|token', { ...wrapped, root_key_id: null })).toEqual(key);
    }
  });

  it('reject a key that another root key has wrapped, and an id that does not fit', () => {
    const wrapped = unknown.wrap('service_key|token', key);
    expect(() => rootKeys.unwrap('service_key|token', wrapped)).toThrow(IntegrityError);
    expect(() => rootKeys.unwrap('service_key|token', { ...wrapped, root_key_id: null })).toThrow(IntegrityError);
    const { wrapped_key } = current.wrap('service_key|token', key);
    expect(() => rootKeys.unwrap('service_key|token', { wrapped_key, root_key_id: previous.id })).toThrow(
      IntegrityError,
    );
  });
});

describe('the service keys', () => {
  it('differ for different purposes, and are the same for the same root key', () => {
    const root = new RootKey(randomBytes(32));
    const keys = ServiceKeys.derive(root);
    const { d } = keys.tokenKey();
    const values = [
      keys.apiKeyHmac('k'),
      keys.sessionHmac('k'),
      keys.requestHmac('k'),
      Buffer.from(d ?? '', 'base64url'),
    ];
    expect(new Set([root.id, ...values].map((value) => value.toString('hex'))).size).toBe(values.length + 1);
    expect(ServiceKeys.derive(root).tokenKey()).toEqual(keys.tokenKey());
  });
});
