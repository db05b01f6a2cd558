import { randomUUID } from 'node:crypto';
import { testCredentials } from '@strata/testkit';
import { type CoreInProcess, listRoutes, startCoreInProcess } from '../../testing/core-in-process.ts';
import { rawRequest } from '../../testing/raw-request.ts';

/** Every route that needs no credential. All other routes must require one. */
const PUBLIC = [
  'GET /healthz',
  'GET /readyz',
  'GET /api/healthz',
  'GET /api/readyz',
  'GET /api/v1/features',
  'GET /api/schema',
  'GET /api/docs',
  'GET /api/docs/:file',
  'GET /.well-known/jwks.json',
  'GET /api/.well-known/jwks.json',
  'POST /api/v1/auth/token',
  'POST /api/v1/auth/session',
  'POST /api/v1/auth/exchange',
  // the invitation's token authenticates the request
  'POST /api/v1/invitations/:id/offer',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

let core: CoreInProcess;
let routes: { method: string; url: string }[];
let key: string;

beforeAll(async () => {
  core = await startCoreInProcess();
  routes = await listRoutes(core);
  key = testCredentials().apiKey;
});
afterAll(() => core.close());

const request = (method: string, path: string, ...lines: string[]) => rawRequest(core.origin, { method, path, lines });
const withKey = () => `Authorization: Api-Key ${key}`;

const filled = (url: string) => url.replace(/:\w+/g, () => randomUUID());

/** Returns spellings of a path that routers and proxies are known to interpret differently. */
function variants(path: string): string[] {
  const bare = path.replace(/\/$/, '');
  const last = bare.lastIndexOf('/');
  const [before, after] = [bare.slice(0, last), bare.slice(last + 1)];
  const escaped = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
  return [
    bare,
    `${bare}/`,
    `${bare}//`,
    `/${bare}/`,
    `//${bare}`,
    `${before}//${after}/`,
    `${before}/./${after}/`,
    `${before}/x/../${after}/`,
    `/x/..${bare}/`,
    `${before}/%2e/${after}/`,
    `${before}/%2e%2e/${after}/`,
    `${before}%2f${after}/`,
    `${before}%5c${after}/`,
    `${before}\\${after}/`,
    `${bare}%2f`,
    `${bare}%00/`,
    `${bare}%20/`,
    `${bare}%0a/`,
    `${bare}%zz/`,
    `${bare}%/`,
    `${bare}%ff/`,
    `${bare}%c0%af/`,
    `${bare};x=y/`,
    `${bare}/;x=y`,
    `${bare};/`,
    `${bare}.json`,
    `${bare}/.`,
    `${bare}/..`,
    `${bare}/..;/`,
    `${bare}/index.html`,
    `${bare}?x=1`,
    `${bare}/?`,
    `${bare}/?access_token=x`,
    `${bare}/#x`,
    `${bare}/*`,
    `${bare}~`,
    bare.toUpperCase(),
    `${before}/${after.toUpperCase()}/`,
    bare.replace('/api/', '/API/'),
    bare.replace('/v1/', '/V1/'),
    bare.replace('/v1/', '/v1.0/'),
    `${before}/${escaped(after)}/`,
    `/${escaped(bare.slice(1))}/`,
    `http://localhost${bare}/`,
    `http://healthz${bare}/`,
    `/healthz${bare}/`,
    `/healthz/..${bare}/`,
    `/healthz?${bare}`.replace('/healthz?', '/%68ealthz%3f'),
  ];
}

describe('every route', () => {
  it('requires a credential for every spelling of its path', async () => {
    const closed = routes.filter(({ method, url }) => method !== 'OPTIONS' && !isPublic(method, url));
    const open: string[] = [];
    for (const { method, url } of closed) {
      const replies = variants(filled(url)).map(async (path) => {
        const { status, text } = await request(method, path);
        if (![401, 404, 405].includes(status)) open.push(`${method} ${path} → ${status} ${text}`);
      });
      await Promise.all(replies);
    }
    expect(closed.length).toBeGreaterThan(40);
    expect(variants('/api/v1/users/').length).toBeGreaterThanOrEqual(40);
    expect(open.slice(0, 10)).toEqual([]);
  });

  it('requires a credential for every method', async () => {
    const paths = [...new Set(routes.map(({ url }) => url))];
    const open: string[] = [];
    for (const url of paths) {
      for (const method of [...METHODS, 'TRACE', 'PROPFIND']) {
        if (isPublic(method, url)) continue;
        const { status } = await request(method, filled(url));
        if (![401, 404, 405].includes(status)) open.push(`${method} ${url} → ${status}`);
      }
    }
    expect(open.slice(0, 10)).toEqual([]);
  });

  it('is on this list if it is public, and every route on the list exists', () => {
    const served = routes.map(({ method, url }) => `${method} ${url.replace(/\/$/, '')}`);
    expect(PUBLIC.filter((route) => !served.includes(route))).toEqual([]);
  });

  it('lists its methods in the order of the contract', async () => {
    for (const url of new Set(routes.map((route) => route.url))) {
      const { status, headers, text } = await request('OPTIONS', filled(url));
      expect([url, status, text, headers['content-length']]).toEqual([url, 204, '', '0']);
      const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
      const allow = (headers.allow ?? '').split(', ');
      expect(allow).toEqual(order.filter((method) => allow.includes(method)));
      expect(allow).toContain('OPTIONS');
    }
  });

  it('returns the headers of GET for HEAD, without the body', async () => {
    for (const path of ['/api/v1/environments/', '/api/v1/users/current/', '/healthz', '/api/schema/']) {
      const get = await request('GET', path, withKey());
      const head = await request('HEAD', path, withKey());
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers.etag).toBe(get.headers.etag);
    }
  });

  it('returns 405 for other methods, and lists the supported ones', async () => {
    const item = `/api/v1/environments/${randomUUID()}/`;
    for (const [method, path, allow] of [
      ['DELETE', '/api/v1/environments/', 'GET, POST, HEAD, OPTIONS'],
      ['PUT', '/api/v1/environments', 'GET, POST, HEAD, OPTIONS'],
      ['POST', item, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
      ['POST', '/api/v1/users/current/', 'GET, PATCH, HEAD, OPTIONS'],
      ['DELETE', '/api/v1/users/current/', 'GET, PATCH, HEAD, OPTIONS'],
      ['DELETE', '/api/v1/users/current?x=1', 'GET, PATCH, HEAD, OPTIONS'],
      ['PATCH', `/api/v1/projects/${randomUUID()}/parameters/timelines/`, 'GET, HEAD, OPTIONS'],
      ['GET', '/api/v1/grants/multi/', 'DELETE, OPTIONS'],
      ['GET', '/api/v1/auth/token/', 'POST, OPTIONS'],
      ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await request(method, path, withKey());
      expect(response).toMatchObject({ status: 405, text: `{"detail":"Method \\"${method}\\" not allowed."}` });
      expect(response.headers).toMatchObject({ allow, 'x-error-code': 'method_not_allowed' });
    }
  });

  it('lists the methods of the most literal path, even if that path does not support the method', async () => {
    await request('DELETE', '/api/v1/users/current/', withKey());
    const otherUser = await request('DELETE', `/api/v1/users/${randomUUID()}/`, withKey());

    expect(otherUser).toMatchObject({ status: 404, headers: { allow: 'GET, DELETE, HEAD, OPTIONS' } });
  });

  it.each([
    '/',
    '/api',
    '/api/v1/',
    '/api/v1/nothing/',
    '/api/v2/environments/',
    '/api/v1/users/x/y/',
    '/.env',
    '/%',
    '/api/v1/users/%zz/',
  ])('%s does not exist', async (path) => {
    expect(await request('GET', path, withKey())).toMatchObject({ status: 404, text: '{"detail":"Not found."}' });
  });

  it('returns the security headers with every status', async () => {
    for (const [method, path, ...lines] of [
      ['GET', '/api/v1/environments/', withKey()],
      ['GET', '/api/v1/environments/'],
      ['GET', '/nothing'],
      ['POST', '/api/v1/environments/', withKey()],
      ['DELETE', '/api/v1/environments/', withKey()],
      ['GET', '/healthz'],
      ['GET', '/api/docs/'],
      ['OPTIONS', '/api/v1/environments/'],
      ['GET', '/%'],
    ] as const) {
      const { headers } = await request(method, path, ...lines);
      expect(headers).toMatchObject({
        // a response of this length could be compressed for another client
        vary: expect.stringMatching(/^Accept, (Accept-Encoding, )?Cookie, Origin$/),
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('returns compact JSON', async () => {
    const { headers, text } = await request('GET', '/api/v1/environments/', withKey());

    expect(headers['content-type']).toBe('application/json');
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });
});

function isPublic(method: string, url: string): boolean {
  const path = url.replace(/\/$/, '');
  return PUBLIC.includes(`${method === 'HEAD' ? 'GET' : method} ${path}`);
}

describe('the head of a request', () => {
  const list = '/api/v1/environments/';

  it('may contain 500 ids, plain and escaped', async () => {
    for (const comma of [',', '%2C']) {
      const ids = Array.from({ length: 500 }, () => randomUUID()).join(comma);
      const { status, text } = await request('GET', `${list}?id__in=${ids}`, withKey());
      expect([status, JSON.parse(text).count]).toEqual([200, 0]);
    }
    const tooMany = Array.from({ length: 501 }, () => randomUUID()).join(',');
    expect((await request('GET', `${list}?id__in=${tooMany}`, withKey())).status).toBe(400);
  });

  it('returns the standard error body if it is too long or not HTTP', async () => {
    const long = await request('GET', list, withKey(), `X-Long: ${'x'.repeat(40_000)}`);
    expect(long).toMatchObject({ status: 431, headers: { 'x-error-code': 'head_too_large' } });
    expect(JSON.parse(long.text)).toEqual({ detail: expect.any(String) });
    const odd = await request('GET', list, withKey(), 'No colon');
    expect(odd).toMatchObject({ status: 400, headers: { 'x-error-code': 'malformed_request' } });
    expect(JSON.parse(odd.text)).toEqual({ detail: expect.any(String) });
  });

  it.each(['', 'a b', '[', '[::1', 'x:99999', 'x/y', 'x"y', 'x\\y', 'user@x', 'x?y', 'x#y', '<x>', 'x'.repeat(260)])(
    'is rejected with the host %j, which must not appear in links',
    async (host) => {
      const response = await rawRequest(core.origin, { path: list, lines: [withKey()], host });
      expect([response.status, response.headers['x-error-code']]).toEqual([400, 'malformed_request']);
    },
  );

  it.each([
    ['GET', list],
    ['GET', '/healthz'],
    ['GET', '/nothing/'],
    ['PATCH', list],
  ])('is rejected with two hosts: %s %s', async (method, path) => {
    const { status, headers, text } = await request(method, path, withKey(), 'host: other.example.com');
    expect([status, headers['x-error-code']]).toEqual([400, 'malformed_request']);
    expect(JSON.parse(text)).toEqual({ detail: 'Send one Host header, not several.' });
  });

  it.each(['config.example.com', 'localhost:3000', '10.0.0.1', '[::1]:3000', 'my_core-1:80'])(
    'determines the host of links: %s',
    async (host) => {
      const { text } = await rawRequest(core.origin, { path: list, lines: [withKey()], host });
      expect(JSON.parse(text).results[0].url.startsWith(`http://${host}${list}`)).toBe(true);
    },
  );
});
