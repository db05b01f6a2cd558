import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readEnv } from './env.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { ScriptedCore } from './testing/scripted-core.ts';

let core: ScriptedCore;
let gateway: Gateway;
let url: string;
beforeAll(async () => {
  core = new ScriptedCore();
  await core.start();
  gateway = await createGateway(readEnv({ STRATA_CORE_URL: core.origin }), { logger: false });
  await gateway.listen(0, '127.0.0.1');
  url = await gateway.url();
});
afterAll(async () => {
  await gateway.close();
  await core.stop();
});

describe('a response', () => {
  it.each([
    ['a path without a handler', 'GET /nothing HTTP/1.1\r\nHost: strata\r\n', 404],
    ['a path with a broken escape', 'GET /% HTTP/1.1\r\nHost: strata\r\n', 404],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n', 400],
    ['data that is not HTTP', 'HELLO\r\n', 400],
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: strata\r\nX: ${'x'.repeat(70_000)}\r\n`, 431],
  ])('to %s has the security headers and a request id', async (_, head, status) => {
    const line = connect(Number(new URL(url).port), '127.0.0.1');
    line.write(`${head}Connection: close\r\n\r\n`);
    const responseText = await text(line);

    expect(responseText).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(responseText.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(responseText.toLowerCase()).toContain('referrer-policy: no-referrer');
    expect(responseText.toLowerCase()).toContain('cache-control: no-store');
    expect(responseText).toMatch(/x-request-id: [\w-]{36}/i);
  });
});
