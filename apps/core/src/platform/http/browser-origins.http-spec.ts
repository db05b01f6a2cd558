import { OPERATIONS } from '@strata/contract';
import { type OwnCore, type RunningCore, sharedCore } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { flagsBase } from '../../testing/flags.ts';
import { type RawRequest, rawRequest } from '../../testing/raw-request.ts';

const SHOP = 'https://shop.example';
const LOCAL = 'http://localhost:5173';

let core: RunningCore;
let open: OwnCore;
beforeAll(async () => {
  core = await sharedCore();
  open = await startSecondCore(core, { STRATA_BROWSER_ORIGINS: ` ${SHOP}, ${LOCAL} ` });
});
afterAll(async () => {
  await open.close();
});

/** Creates a project with one value, and returns the paths that browsers use. */
async function shop() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const long = { internal_value: 'x'.repeat(2_000) };
  await organization.value({ parameter: await organization.parameter({ project, name: 'a' }), ...long });
  const authorization = await organization.authorization('VIEWER');
  const lines = (origin: string | null, ...more: string[]) => [
    `Authorization: ${authorization}`,
    ...(origin === null ? [] : [`Origin: ${origin}`]),
    ...more,
  ];
  const flags = `/api/v1/${flagsBase(project.id, 'default')}/ofrep/v1/evaluate/flags`;
  return {
    lines,
    flags,
    oneFlag: `${flags}/a`,
    effective: `/api/v1/projects/${project.id}/effective/?environment=default`,
  };
}

const JSON_BODY = { method: 'POST', body: '{}' } as const;
const json = 'Content-Type: application/json';

const corsHeaders = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const preflight = (origin: string, path: string, method: string): RawRequest => ({
  ...{ method: 'OPTIONS', path },
  lines: [
    `Origin: ${origin}`,
    `Access-Control-Request-Method: ${method}`,
    'Access-Control-Request-Headers: authorization',
  ],
});

describe('a page of an allowed origin', () => {
  it.each([SHOP, LOCAL])('may read flags and effective values, according to its preflight (%s)', async (origin) => {
    const { flags, oneFlag, effective } = await shop();
    for (const [method, path] of [
      ['POST', flags],
      ['POST', `${flags}/`],
      ['POST', oneFlag],
      ['GET', effective],
      ['GET', effective.replace('effective/', 'effective/stream/')],
    ] as const) {
      const { status, headers } = await rawRequest(open.origin, preflight(origin, path, method));
      expect(status).toBe(204);
      expect(corsHeaders({ headers })).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Strata-Instance, Last-Event-ID',
        'access-control-max-age': '600',
      });
      expect(headers.vary).toContain('Origin');
    }
  });

  it('may read responses of every kind: new, stored, compressed, unchanged, streamed and rejected', async () => {
    const { lines, flags, oneFlag, effective } = await shop();
    const fetched = (request: Omit<RawRequest, 'lines'>, ...more: string[]) =>
      rawRequest(open.origin, { ...request, lines: lines(SHOP, ...more) });
    const all = { ...JSON_BODY, path: flags };
    const first = await fetched(all, json);
    const unchanged = `If-None-Match: ${first.headers.etag}`;
    const effectiveTag = (await fetched({ path: effective })).headers.etag;
    const expected: readonly [number, Promise<typeof first>][] = [
      [200, Promise.resolve(first)],
      [200, fetched(all, json)],
      [200, fetched(all, json, 'Accept-Encoding: br')],
      [304, fetched(all, json, unchanged)],
      [200, fetched({ ...JSON_BODY, path: oneFlag }, json)],
      [404, fetched({ ...JSON_BODY, path: `${oneFlag}b` }, json)],
      [400, fetched({ ...JSON_BODY, body: '{', path: oneFlag }, json)],
      [200, fetched({ path: effective })],
      [200, fetched({ path: effective }, 'Accept-Encoding: gzip')],
      [304, fetched({ path: effective }, `If-None-Match: ${effectiveTag}`)],
      [401, rawRequest(open.origin, { path: effective, lines: [`Origin: ${SHOP}`] })],
    ];
    for (const [status, httpResponse] of expected) {
      const response = await httpResponse;
      expect([response.status, corsHeaders(response)]).toEqual([
        status,
        {
          'access-control-allow-origin': SHOP,
          'access-control-expose-headers': 'ETag, X-Revision, X-Error-Code, X-Request-Id, Retry-After, RateLimit',
        },
      ]);
      expect(response.headers.vary).toContain('Origin');
    }
  });

  it('may call no other operation', async () => {
    const allowed = OPERATIONS.filter(
      ({ id }) => !/^(flags_|projects_effective_|projects_list$|rollouts_create)/.test(id),
    );
    for (const { method, path } of allowed) {
      const filled = path.replace(/\{\w+\}/g, '0f0f0f0f-0000-4000-8000-000000000000');
      expect(corsHeaders(await rawRequest(open.origin, preflight(SHOP, filled, method.toUpperCase())))).toEqual({});
    }
    const { flags, effective } = await shop();
    for (const [method, path] of [
      ['DELETE', flags],
      ['PUT', effective],
      ['GET', flags],
    ] as const) {
      expect(corsHeaders(await rawRequest(open.origin, preflight(SHOP, path, method)))).toEqual({});
    }
  });
});

it.each([
  'https://other.example',
  'http://shop.example',
  'https://shop.example:8443',
  'https://shop.example.evil.example',
  'https://sub.shop.example',
  'null',
  '*',
])('a page of another origin gets no permission (%s)', async (origin) => {
  const { lines, flags } = await shop();
  const { status, headers } = await rawRequest(open.origin, { ...JSON_BODY, path: flags, lines: lines(origin, json) });
  expect([status, corsHeaders({ headers })]).toEqual([200, {}]);
  expect(corsHeaders(await rawRequest(open.origin, preflight(origin, flags, 'POST')))).toEqual({});
});

it('without the setting, no page gets permission, and responses are the same as without an origin', async () => {
  const { lines, flags } = await shop();
  const send = (origin: string | null) =>
    rawRequest(core.origin, { ...JSON_BODY, path: flags, lines: lines(origin, json) });
  const [withOrigin, without] = [await send(SHOP), await send(null)];
  const fixed = ({ headers }: typeof without) => ({ ...headers, date: '', 'x-request-id': '' });
  expect(fixed(withOrigin)).toEqual(fixed(without));
  expect(corsHeaders(await rawRequest(core.origin, preflight(SHOP, flags, 'POST')))).toEqual({});
});
