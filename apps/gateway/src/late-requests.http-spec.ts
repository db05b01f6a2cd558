import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { readEnv } from './env.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { ScriptedCore } from './testing/scripted-core.ts';

let core: ScriptedCore;
let gateway: Gateway;
beforeAll(async () => {
  core = new ScriptedCore();
  await core.start();
  const env = readEnv({ STRATA_CORE_URL: core.origin, STRATA_REQUEST_SECONDS: '1' });
  gateway = await createGateway(env, { logger: false });
  await gateway.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await gateway.close();
  await core.stop();
});

/** Long enough for a busy machine, and below the minute after which Node would close the connection by default. */
const TIMEOUT_MS = 45_000;

const HEAD = 'POST /graphql HTTP/1.1\r\nHost: strata\r\nContent-Type: application/json\r\n';

it.each([
  ['its head has no end', [HEAD]],
  ['a part of its body comes', [`${HEAD}Content-Length: 100\r\n\r\n`, '{"query":']],
])(
  'a request that does not arrive completely is rejected with 408, and its connection is closed: %s',
  async (_, parts) => {
    const { hostname, port } = new URL(await gateway.url());
    const socket = net.connect(Number(port), hostname);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The connection neither closed nor received data.')));
    await once(socket, 'connect');
    for (const part of parts) socket.write(part);

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  },
);
