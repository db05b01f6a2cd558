import type { ServiceAccountCreated } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { WebSocket } from 'ws';
import { useGraphQL } from './graphql-access.ts';
import { GraphQLStack } from './graphql-stack.ts';

const access = useGraphQL(() => GraphQLStack.start(undefined, { socketTimes: { credentialMs: 200 } }));
afterAll(() => access.stack.close());

/** Opens a socket that authenticates and then sends nothing. */
async function silent(authorization: string): Promise<{ socket: WebSocket; ended: Promise<{ code: number }> }> {
  const socket = new WebSocket(access.stack.socketUrl, 'graphql-transport-ws');
  const whenEnded = new Promise<{ code: number }>((resolve) => socket.once('close', (code) => resolve({ code })));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: authorization } }));
  await new Promise((resolve) => socket.once('message', resolve));
  return { socket, ended: whenEnded };
}

async function account({ owner }: TestOrganization): Promise<ServiceAccountCreated> {
  const { body } = await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' });
  return body;
}

describe('a silent socket', () => {
  it('is closed with 4403 when its key is deleted, and sockets of other keys stay open', async () => {
    const [mine, secondAccount] = [await account(access.organization), await account(access.organization)];
    const [deleted, remaining] = [
      await silent(`Api-Key ${mine.apikey}`),
      await silent(`Api-Key ${secondAccount.apikey}`),
    ];

    await access.organization.owner.delete(`serviceaccounts/${mine.id}/`);

    expect(await deleted.ended).toEqual({ code: 4403 });
    expect(remaining.socket.readyState).toBe(WebSocket.OPEN);
    remaining.socket.terminate();
  });
});
