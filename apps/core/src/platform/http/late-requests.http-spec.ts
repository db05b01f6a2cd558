import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess({ STRATA_REQUEST_SECONDS: '1' });
});
afterAll(() => core.close());

const HEAD = 'POST /api/v1/auth/token/ HTTP/1.1\r\nHost: strata\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Long enough for a busy machine, and below the minute after which Node would close the connection by default. */
const TIMEOUT_MS = 45_000;

/** Returns everything that the core sends until the connection ends. */
async function answerTo(...sent: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(core.origin);
  const socket = net.connect(Number(port), hostname);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The connection neither ended nor said anything.')));
  await once(socket, 'connect');
  for (const part of sent) socket.write(part);
  return text(socket);
}

describe('an incomplete request', () => {
  it.each([
    ['its head never ends', [HEAD]],
    ['its body does not arrive', [`${HEAD}${JSON_TYPE}Content-Length: 100\r\n\r\n`]],
    ['only a part of its body arrives', [`${HEAD}${JSON_TYPE}Content-Length: 100\r\n\r\n`, '{"email":']],
    ['its chunks never end', [`${HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`, '3\r\n{"a\r\n']],
  ])('gets 408 and its connection is closed if %s', async (_, parts) => {
    const answer = await answerTo(...parts);

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('X-Error-Code: request_timeout\r\n');
    expect(answer).toContain('Connection: close\r\n');
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      detail: 'The request did not arrive within 1 seconds. Send it again.',
    });
  });

  it('does not receive the response of another request', async () => {
    const late = answerTo(`${HEAD}${JSON_TYPE}Content-Length: 100\r\n\r\n`, '{');
    const organization = await core.organization();
    expect((await organization.owner.get('environments/')).status).toBe(200);
    expect(await late).toMatch(/^HTTP\/1\.1 408 /);
  });
});
