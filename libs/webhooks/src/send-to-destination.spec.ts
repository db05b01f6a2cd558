import net from 'node:net';
import { addressGuard } from '@strata/outbound';
import { LocalServers } from '@strata/testkit';
import { type DestinationTarget, sendToDestination } from './index.ts';

const message = {
  id: 'm1',
  at: '2026-11-20T22:40:07.123456Z',
  organizationId: 'o1',
  destination: { id: 'd1', name: 'ops' },
  content: { kind: 'test' },
} as const;

const servers = new LocalServers();
afterAll(() => servers.close());

const settings = { timeoutMs: 300, guard: addressGuard({ allowPrivate: true, setting: 'PRIVATE' }), mail: null };
const sendTo = (address: string) => {
  const target: DestinationTarget = { type: 'teams', address };
  return sendToDestination(target, message, settings);
};

it.each([
  [200, 'delivered'],
  [202, 'delivered'],
  [502, 'retry'],
])('decides on status %i even if its body does not end', async (status, kind) => {
  const url = await servers.serve((_request, response) => void response.writeHead(status).write('{'));
  expect(await sendTo(url)).toMatchObject({ outcome: { kind }, status });
});

it('reports an address for which no request can be created', async () => {
  expect(await sendTo('ftp://hooks.example.com/')).toEqual({
    outcome: { kind: 'retry', reason: 'unreachable' },
    status: null,
  });
});

it('gives up an e-mail if the mail server sends responses without end', async () => {
  const server = net.createServer((socket) => {
    socket.write('220 ready\r\n');
    const timer = setInterval(() => socket.write('250-more\r\n'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  const connections: net.Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const mail = { url: `smtp://127.0.0.1:${port}`, from: 'strata@example.com' };
  const sent = sendToDestination({ type: 'email', recipients: ['ops@example.com'] }, message, { ...settings, mail });
  expect(await sent).toEqual({ outcome: { kind: 'retry', reason: 'timeout' }, status: null });
  for (const socket of connections) socket.destroy();
  server.close();
});
