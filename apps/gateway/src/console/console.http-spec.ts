import { type OwnGateway, type RunningCore, sharedCore, startGateway } from '@strata/testkit';
import { BrowserLike } from '../testing/browser-like.ts';

let core: RunningCore;
let gateway: OwnGateway;
beforeAll(async () => {
  core = await sharedCore();
  gateway = await startGateway(core, { STRATA_CONSOLE: 'on' });
});
afterAll(() => gateway?.close());

/** Shorter files are not compressed. */
const COMPRESSED_FROM = 1_024;
const PAGE = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Readonly<Record<string, string>> = {}, url = gateway.origin) =>
  new BrowserLike(url, {}).send('GET', path, { headers });

/** Returns the scripts and styles that the page refers to. */
async function assets(): Promise<readonly string[]> {
  const { body } = await get('/', PAGE);
  return [...String(body).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

describe('the console', () => {
  it.each(['/', '/sign-in', '/projects/web?env=production', '/projects/..%2f..'])(
    'serves the page at %s with a policy that allows no other sources',
    async (address) => {
      const { status, headers, body } = await get(address, PAGE);

      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(body).toContain('<div id="root"></div>');
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ]),
      );
      expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*|data:|https?:/);
    },
  );

  it('serves files that browsers may cache forever, in each accepted encoding', async () => {
    const paths = await assets();
    expect(paths.length).toBeGreaterThanOrEqual(2);
    let compressed = 0;
    for (const path of paths) {
      const responses = await Promise.all(
        ['identity', 'gzip', 'gzip, deflate, br;q=0.9'].map((accepted) => get(path, { 'accept-encoding': accepted })),
      );
      const [whole = 0, ...smaller] = responses.map(({ headers }) => Number(headers['content-length']));
      const isLong = whole >= COMPRESSED_FROM;
      const forms = isLong ? [undefined, 'gzip', 'br'] : [undefined, undefined, undefined];
      expect([path, ...responses.map(({ headers }) => headers['content-encoding'])]).toEqual([path, ...forms]);
      for (const { headers } of responses) {
        expect(headers).toMatchObject({
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        });
      }
      if (!isLong) continue;
      compressed += 1;
      expect(Math.max(...smaller)).toBeLessThan(whole);
      expect(responses.map(({ headers }) => headers.vary)).toEqual(Array(3).fill('accept-encoding'));
    }
    expect(compressed).toBeGreaterThanOrEqual(2);
  });

  it('loads at most 150 kB of scripts and styles for its first page', async () => {
    const sizes = await Promise.all(
      (await assets()).map(async (path) =>
        Number((await get(path, { 'accept-encoding': 'gzip' })).headers['content-length']),
      ),
    );

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000);
  });

  it('serves help pages without inline scripts and styles, with links that exist', async () => {
    const pages = new Map<string, string>();
    const broken: string[] = [];
    const read = async (address: string): Promise<void> => {
      if (pages.has(address)) return;
      pages.set(address, '');
      const { status, headers, body } = await get(address);
      if (status !== 200) broken.push(address);
      if (!address.endsWith('.html')) return;
      expect(String(headers['content-security-policy'])).toContain("style-src 'self'");
      pages.set(address, String(body));
      const links = [...String(body).matchAll(/ (?:src|href)="([^"#]+)/g)].map(([, to = '']) => to);
      const ownLinks = links
        .map((to) => new URL(to, gateway.origin + address))
        .filter((to) => to.origin === gateway.origin);
      await Promise.all(ownLinks.map(({ pathname }) => read(pathname)));
    };

    await read('/help/index.html');

    expect(broken).toEqual([]);
    expect(pages.size).toBeGreaterThan(40);
    expect([...pages.keys()]).toContain('/help/reference/console.html');
    expect([...pages].filter(([, text]) => /<script|<style| style=| on\w+=/.test(text))).toEqual([]);
  });

  it.each(['/help', '/help/'])('redirects %s to the first page of the help', async (path) => {
    expect(await get(path)).toMatchObject({ status: 302, headers: { location: '/help/index.html' } });
    expect(await get(`${path}nowhere/`, { accept: 'application/json' })).toMatchObject({ status: 404 });
  });

  it('keeps the names of its files if another file changes, except for the entry file', async () => {
    const [entry = ''] = await assets();
    const texts = new Map<string, string>();
    const read = async (path: string): Promise<void> => {
      if (texts.has(path)) return;
      texts.set(path, '');
      const text = String((await get(path)).body);
      texts.set(path, text);
      await Promise.all([...text.matchAll(/[\w~.-]+-[\w-]{8}\.js/g)].map(([name]) => read(`/assets/${name}`)));
    };
    await read(entry);
    const others = [...texts].filter(([path]) => path !== entry);

    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(([, text]) => text.includes(entry.replace('/assets/', '')))).toEqual([]);
    const [vendor = ''] = [...texts.keys()].filter((path) => path.startsWith('/assets/vendor-'));
    expect(texts.get(vendor)).toMatch(/^import\{[^}]*\}from"\.\/rolldown-runtime-[\w-]{8}\.js";(?!import)/);
  });

  it('returns 304 to a client that has the current page cached', async () => {
    const { headers } = await get('/', PAGE);

    const repeatedResponse = await get('/', { ...PAGE, 'if-none-match': String(headers.etag) });

    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([304, '']);
  });

  it.each([
    ['/assets/gone-00000000.js', PAGE],
    ['/nowhere', { accept: 'application/json' }],
    ['/..%2f..%2fpackage.json', {}],
    ['/assets/..%2findex.html.br', {}],
    ['/help/..%2f..%2f..%2f..%2fpackage.json', {}],
    ['/help/guides/..%2f..%2fdocuments.json', {}],
  ])('returns 404 at %s to API clients', async (path, headers) => {
    expect(await get(path, headers)).toMatchObject({ status: 404, body: { errors: [expect.anything()] } });
  });

  it.each<Record<string, string>>([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    'returns an overview at / to clients that are not browsers: %j',
    async (headers) => {
      const response = await get('/', headers);

      expect([response.status, response.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      for (const line of [`Console   ${gateway.origin}/`, `GraphQL   ${gateway.origin}/graphql`, '/api/v1/']) {
        expect(response.body).toContain(line);
      }
    },
  );

  it('does not affect the other addresses of the gateway', async () => {
    expect(await get('/healthz', PAGE)).toMatchObject({ status: 200, body: { status: 'alive' } });
    expect((await get('/graphql', PAGE)).body).not.toContain('<div id="root"></div>');
  });

  it('can be switched off', async () => {
    const without = await startGateway(core, { STRATA_CONSOLE: 'off' });
    try {
      expect((await get('/', PAGE, without.origin)).status).toBe(404);
    } finally {
      await without.close();
    }
  });
});

describe('JSON responses', () => {
  const query = '{ __schema { types { name description } } }';
  const ask = (accepted: string) =>
    fetch(`${gateway.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': accepted },
      body: JSON.stringify({ query }),
    });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
    ['br;q=0', null],
  ])('have an encoding that Accept-Encoding %s allows: %s', async (accepted, encoding) => {
    const response = await ask(accepted);

    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(
      ((await response.json()) as { data: { __schema: { types: unknown[] } } }).data.__schema.types.length,
    ).toBeGreaterThan(50);
  });

  it('are not compressed if they are short', async () => {
    const response = await fetch(`${gateway.origin}/healthz`, { headers: { 'accept-encoding': 'br' } });

    expect(response.headers.get('content-encoding')).toBeNull();
  });
});
