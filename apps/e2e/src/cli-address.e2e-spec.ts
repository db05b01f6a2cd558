import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import {
  LocalServers,
  type RunningCore,
  type RunningGateway,
  selfSignedCertificate,
  sharedCore,
  sharedGateway,
} from '@strata/testkit';
import { CommandLine, CommandLineShop } from './command-line.ts';

const CANARY = 'canary-7b30fe';

let core: RunningCore;
let gateway: RunningGateway;
let shop: CommandLineShop;
let certificate: { readonly cert: string; readonly key: string };
const servers = new LocalServers();

beforeAll(async () => {
  [core, gateway] = [await sharedCore(), await sharedGateway()];
  certificate = await selfSignedCertificate();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB');
  await shop.set('PORT', '8080');
});
afterEach(() => {
  servers.close();
  shop.strata.remove();
});

const respondWith =
  (status: number, headers: http.OutgoingHttpHeaders, body = ''): http.RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const html = (status: number) => respondWith(status, { 'content-type': 'text/html' }, `<p>${CANARY}</p>`);

const tlsServer = (listener: http.RequestListener) => servers.listen(https.createServer(certificate, listener));

/** An address that is wrong, the sentence that says why, and what to change. */
type Case = readonly [name: string, address: () => Promise<string>, problem: string, hint: string];
const CASES: readonly Case[] = [
  ['a console', async () => gateway.origin, 'is the address of the console', 'Use the address of the core'],
  ['a page of a console', async () => `${gateway.origin}/${CANARY}`, 'is the address of the console', 'the core'],
  ['a core with /api/v1', async () => `${core.origin}/api/v1`, 'must not end with /api/v1', 'Remove /api/v1'],
  ['a core with /api', async () => `${core.origin}/api`, 'must not end with /api,', 'Remove /api from'],
  ['a path below a core', async () => `${core.origin}/${CANARY}`, 'not below the path', 'without a path'],
  ['a web site', () => servers.serve(html(200)), 'a web page with status 200', 'Check the address'],
  ['a missing page', () => servers.serve(html(404)), 'a web page with status 404', 'Check the address'],
  ['a proxy without a server', () => servers.serve(html(502)), 'a proxy returned 502', 'settings of the proxy'],
  [
    'a redirect',
    () => servers.serve(respondWith(301, { location: `https://strata.invalid/${CANARY}` })),
    'it redirects to https://strata.invalid,',
    'Use the final address',
  ],
  [
    'a self-signed certificate',
    async () => `https://${await tlsServer(html(200))}`,
    'does not trust the certificate of https://',
    'NODE_EXTRA_CA_CERTS',
  ],
  [
    'https to a port without TLS',
    async () => (await servers.serve(html(200))).replace('http:', 'https:'),
    'does not use TLS on this port',
    'or http://127.0.0.1:',
  ],
  ['https to a core', async () => core.origin.replace('http:', 'https:'), 'does not use TLS', 'or http://'],
  [
    'http to a port with TLS',
    async () => `http://${await tlsServer(html(200))}`,
    'requires TLS on this port',
    'Use https://127.0.0.1:',
  ],
];

const JOB = { STRATA_API_KEY: '', STRATA_ID_TOKEN: CANARY, STRATA_SERVICE_ACCOUNT: crypto.randomUUID() };

test.each(CASES)('commands say that the address is that of %s', async (_, address, problem, hint) => {
  const url = await address();
  const env = { STRATA_URL: url };
  const runs = await Promise.all([
    shop.strata.run(['get', 'PORT'], { env }),
    shop.strata.run(['set', 'PORT=1'], { env }),
    shop.strata.run(['run', '--', 'true'], { env }),
    shop.strata.run(['login', '--url', url], { input: CANARY }),
    shop.strata.run(['login', '--url', url, '--email', 'a@example.com'], { input: CANARY }),
    shop.strata.run(['login', '--url', url, '--no-browser']),
    shop.strata.run(['whoami'], { env: { ...env, ...JOB } }),
  ]);
  for (const { code, stdout, stderr } of runs) {
    expect([code, stdout, stderr]).toEqual([5, '', expect.stringContaining(problem)]);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain(CANARY);
  }
});

test('the MCP server starts at a wrong address, and says what to change', async () => {
  const { code, stderr } = await shop.strata.run(['mcp'], { env: { STRATA_URL: `${core.origin}/api/v1` } });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Remove /api/v1 from the address')]);
});

test('login says that there is no console at an address that is not one of a console', async () => {
  for (const origin of [
    core.origin,
    await servers.serve(respondWith(200, { 'content-type': 'application/json' }, '{}')),
  ]) {
    const strata = await CommandLine.create({ STRATA_URL: core.origin });
    const { code, stderr } = await strata.run(['login', '--no-browser', '--console', origin]);
    strata.remove();
    expect([code, stderr]).toEqual([3, expect.stringContaining('There is no console at')]);
  }
});

test('commands trust the authority in NODE_EXTRA_CA_CERTS, and compare the host name', async () => {
  const host = await tlsServer((request, response) => {
    const { host: _, ...headers } = request.headers;
    request.pipe(
      http.request(`${core.origin}${request.url}`, { method: request.method ?? 'GET', headers }, (upstreamResponse) => {
        response.writeHead(upstreamResponse.statusCode ?? 0, upstreamResponse.headers);
        upstreamResponse.pipe(response);
      }),
    );
  });
  const file = path.join(shop.strata.home, 'authority.pem');
  fs.writeFileSync(file, certificate.cert);
  const env = { NODE_EXTRA_CA_CERTS: file };
  expect(await shop.strata.run(['get', 'PORT', '--url', `https://${host}`], { env })).toMatchObject({
    stdout: '8080\n',
  });
  const localhostAddress = `https://${host.replace('127.0.0.1', 'localhost')}`;
  const { code, stderr } = await shop.strata.run(['get', 'PORT', '--url', localhostAddress], { env });
  expect([code, stderr]).toEqual([5, expect.stringContaining('is for another host name')]);
});
