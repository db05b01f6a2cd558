import type http from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServers, type RunningCore, sharedCore } from '@strata/testkit';
import { CommandLineShop } from './command-line.ts';

let core: RunningCore;
let shop: CommandLineShop;
const servers = new LocalServers();

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  shop = await CommandLineShop.create(core, 'CONTRIB');
  await shop.set('PORT', '8080');
});
afterEach(() => {
  servers.close();
  shop.strata.remove();
});

/** Sends a request to the core and returns the status and body of its response. */
async function forwarded(request: http.IncomingMessage) {
  const { host: _, connection: __, ...headers } = request.headers;
  const body = request.method === 'POST' ? await text(request) : null;
  const init = { method: request.method ?? 'GET', headers: headers as Record<string, string>, body };
  const response = await fetch(`${core.origin}${request.url}`, init);
  return { status: response.status, body: await response.text() };
}

test('a write whose response is lost is sent again, and runs once', async () => {
  let losses = 0;
  const url = await servers.serve(async (request, response) => {
    const { status, body } = await forwarded(request);
    if (request.method === 'POST' && losses++ === 0) return response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const changed = await shop.strata.json<{ readonly revision: number }>(['set', 'PORT=8081', '--url', url]);
  expect(losses).toBe(2);
  expect(changed).toMatchObject({ changed: true });
  const [last] = await shop.strata.json<readonly { readonly revision: number }[]>(['history', '--limit', '1']);
  expect(last?.revision).toBe(changed.revision);
});

test('redirects are not followed, so that no other server receives the credential', async () => {
  let requests = 0;
  const otherServer = await servers.serve((_, response) => {
    requests++;
    response.end('{}');
  });
  const url = await servers.serve((request, response) =>
    response.writeHead(307, { location: `${otherServer}${request.url}` }).end(),
  );
  const { code, stderr } = await shop.strata.run(['get', 'PORT', '--url', url]);
  expect([code, stderr, requests]).toEqual([5, expect.stringContaining('is not one of Strata'), 0]);
});

test('a response of another program is reported as such', async () => {
  const url = await servers.serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  const { code, stderr } = await shop.strata.run(['get', 'PORT', '--url', url]);
  expect([code, stderr]).toEqual([5, expect.stringContaining('Check the address')]);
});
