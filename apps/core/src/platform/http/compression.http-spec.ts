import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Parameter, Project } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { request } from 'undici';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
});

const DECODED = { br: brotliDecompressSync, gzip: gunzipSync } as const;

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<Raw> {
  const sent = { authorization: organization.ownerAuthorization, ...headers };
  const response = await request(new URL(url, core.origin), { method, headers: sent });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers as Raw['headers'], bytes };
}

/** Creates enough parameters for a response of some kilobytes. */
async function parameters(count: number, text = 'a value'): Promise<string> {
  const values = Object.fromEntries(Array.from({ length: count }, (_, n) => [`NAME_${n}`, `${text} ${n}`]));
  await organization.owner.put(`${project.url}values/?environment=default`, { values, create_missing: true });
  return `${project.url}parameters/?environment=default&page_size=500`;
}

describe('a response of more than a kilobyte', () => {
  it.each(['br', 'gzip'] as const)(
    'is compressed as %s for clients that accept it, with the same content',
    async (encoding) => {
      const url = await parameters(20);
      const [plain, small] = [await ask(url), await ask(url, { 'accept-encoding': encoding })];

      expect(small.headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'Accept, Accept-Encoding, Cookie, Origin',
        'content-length': String(small.bytes.length),
      });
      expect(small.bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(DECODED[encoding](small.bytes)).toEqual(plain.bytes);
    },
  );

  it('is compressed while it is sent, if it is sent in parts', async () => {
    const url = await parameters(400, 'x'.repeat(2_000));
    const [plain, small] = [await ask(url), await ask(url, { 'accept-encoding': 'gzip, br' })];

    expect(small.headers).toMatchObject({ 'content-encoding': 'br', 'transfer-encoding': 'chunked' });
    expect(brotliDecompressSync(small.bytes).equals(plain.bytes)).toBe(true);
  });

  it('is not compressed for clients that accept no compression', async () => {
    const url = await parameters(20);
    const { headers, bytes } = await ask(url);

    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(JSON.parse(String(bytes))).toMatchObject({ count: 20 });
    expect((await ask(url, { 'accept-encoding': 'identity, br;q=0' })).bytes).toEqual(bytes);
  });

  it('has a different tag for each encoding, and a request with any of them gets 304', async () => {
    const url = await parameters(20);
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(
        async (accepted) => (await ask(url, { 'accept-encoding': accepted })).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const secondResult = await ask(url, { 'accept-encoding': 'br', 'if-none-match': tag ?? '' });
      expect([secondResult.status, secondResult.headers.etag, secondResult.bytes.length]).toEqual([304, tag, 0]);
      expect((await ask(url, { 'if-none-match': `W/${tag}` })).status).toBe(304);
    }
    await organization.parameter({ project, name: 'OTHER' });
    expect((await ask(url, { 'accept-encoding': 'br', 'if-none-match': tags[2] ?? '' })).status).toBe(200);
  });

  it('has a tag in compressed form that is a valid precondition for a change', async () => {
    const parameter = await organization.parameter({ project, description: 'long '.repeat(300) });
    const { headers } = await ask(parameter.url, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    const change = () =>
      organization.owner.patch<Parameter>(parameter.url, { description: 'short' }, { 'if-match': headers.etag ?? '' });

    expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(412);
  });
});

describe('the core', () => {
  it('does not compress short responses, responses to HEAD, or event streams', async () => {
    const accepted = { 'accept-encoding': 'br' };
    expect((await ask(project.url, accepted)).headers['content-encoding']).toBeUndefined();
    const head = await ask(await parameters(20), accepted, 'HEAD');
    expect([head.status, head.headers['content-encoding']]).toEqual([200, undefined]);
    const stream = await request(`${core.origin}/api/v1/events/stream/`, {
      headers: { authorization: organization.ownerAuthorization, ...accepted },
    });
    stream.body.destroy();
    expect(stream.headers['content-encoding']).toBeUndefined();
  });

  it('does not compress responses that show a secret in clear, whatever their length', async () => {
    const secret = { value: 'hunter2', secret: true };
    const url = await parameters(20);
    const values = { TOKEN: secret };
    await organization.owner.put(`${project.url}values/?environment=default`, { values, create_missing: true });
    const accepted = { 'accept-encoding': 'br' };

    const clear = await ask(url, accepted);
    expect([clear.headers['content-encoding'], String(clear.bytes).includes('hunter2')]).toEqual([undefined, true]);
    expect((await ask(`${url}&mask_secrets=true`, accepted)).headers['content-encoding']).toBe('br');
  });
});
