import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceAccountCreated } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;

beforeAll(async () => {
  core = await sharedCore();
});

/** Opens a keep-alive connection to the core, and reports how it ended. */
function keptLine() {
  const { hostname, port } = new URL(core.origin);
  const line = net.connect(Number(port), hostname);
  let text = '';
  line.setEncoding('utf8').on('data', (data: string) => (text += data));
  const whenEnded = new Promise<string>((resolve) => {
    line.once('end', () => resolve('said goodbye'));
    line.once('error', ({ message }) => resolve(message));
  });
  const send = (path: string, authorization: string) =>
    line.write(
      `GET ${path} HTTP/1.1\r\nHost: strata\r\nConnection: keep-alive\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
  return { send, ended: whenEnded, text: () => text, close: () => line.destroy() };
}

describe('the end of a stream', () => {
  it('closes the connection, as the response header announced, after all events were sent', async () => {
    const { owner } = await core.organization();
    const { body } = await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
    const line = keptLine();
    line.send('/api/v1/events/stream/', `Api-Key ${body.apikey}`);
    while (!line.text().includes('event: bookmark')) await sleep(5);
    await owner.delete(`serviceaccounts/${body.id}/`);

    expect(await line.ended).toBe('said goodbye');
    const [head = '', ...rest] = line.text().split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    expect(head).not.toMatch(/keep-alive/i);
    expect(rest.join('\r\n\r\n')).toMatch(/event: close\ndata: \{"code":"credential_revoked"[\s\S]*\r\n0\r\n\r\n$/);
  });

  it('does not affect a connection that only sent a HEAD request for the stream', async () => {
    const { ownerAuthorization } = await core.organization();
    const line = keptLine();
    line.send('/api/v1/events/stream/?after=nonsense', ownerAuthorization);
    while (!line.text().includes('\r\n\r\n')) await sleep(5);
    line.send('/healthz', ownerAuthorization);
    while (!line.text().includes('alive')) await sleep(5);
    line.close();

    expect(line.text()).toMatch(/^HTTP\/1.1 410 /);
  });
});
