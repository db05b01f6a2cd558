import type { Grant, ServiceAccountCreated } from '@strata/contract';
import { type OwnCore, sharedCore, type TestOrganization } from '@strata/testkit';
import type { Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { afterCoreRestart, GraphQLStack, takeNext } from './graphql-stack.ts';
import {
  eventObjectName,
  type ReceivedEvent,
  subscribeToChanges,
  WATCH,
  waitForSocketClose,
  waitUntil,
} from './received-events.ts';

let core: OwnCore;
let stack: GraphQLStack;
let organization: TestOrganization;
let clients: Client[] = [];

beforeAll(async () => {
  core = await (await sharedCore()).another();
  stack = await GraphQLStack.start(core);
});
afterAll(async () => {
  await stack.close();
  await core.close();
});
beforeEach(async () => {
  organization = await stack.organization();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  clients = [];
});

function client(authorization: string): Client {
  const client = stack.socket(authorization);
  clients.push(client);
  return client;
}

async function cursorNow(): Promise<string> {
  const { data } = await stack.request('{ changesCursor }', {}, organization.ownerAuthorization);
  return data.changesCursor;
}

describe('changes', () => {
  it('made over REST reach a subscriber, without any value', async () => {
    const after = await cursorNow();
    const changes = subscribeToChanges(client(organization.ownerAuthorization), { after });
    const parameter = await organization.parameter({ name: 'PASSWORD', secret: true });
    await organization.value({ parameter, internal_value: 'hunter2' });
    const messages = await takeNext(changes, 3);

    expect(messages.map(({ type }) => type)).toEqual(['project_created', 'parameter_created', 'value_created']);
    expect(messages[2]).toMatchObject({
      action: 'create',
      environment: { name: 'default' },
      parameter: { name: 'PASSWORD' },
      object: { type: 'Value' },
    });
    expect(JSON.stringify(messages)).not.toContain('hunter2');
  });

  it('made over GraphQL reach a subscriber that sent no cursor', async () => {
    const changes = subscribeToChanges(client(organization.ownerAuthorization));
    const first = changes.next();
    await waitUntil(() => stack.gateway.subscriptions.streams === 1);
    // The first change that arrives shows that the stream is open.
    let shownEvent: IteratorResult<ReceivedEvent> | null = null;
    void first.then((result) => {
      shownEvent = result;
    });
    for (let i = 0; shownEvent === null; i += 1) {
      await stack.request(
        `mutation { createProject(input: { name: "p${i}" }) { __typename } }`,
        {},
        organization.ownerAuthorization,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }

    expect((await first).value).toMatchObject({ type: 'project_created' });
  });

  it('of other organizations are never received', async () => {
    const theirs = await stack.organization();
    const after = await cursorNow();
    const changes = subscribeToChanges(client(organization.ownerAuthorization), { after });
    await theirs.project({ name: 'theirs' });
    await organization.project({ name: 'ours' });

    expect((await takeNext(changes, 1)).map(eventObjectName)).toEqual(['ours']);
  });

  it('are filtered by kind, project and environment', async () => {
    const [watched, otherProject] = [await organization.project(), await organization.project()];
    const production = await organization.environmentNamed('production');
    const after = await cursorNow();
    const socket = client(organization.ownerAuthorization);
    const ofKind = subscribeToChanges(socket, { after, types: ['environment_created'] });
    const ofProject = subscribeToChanges(socket, { after, project: watched.id });
    const ofEnvironment = subscribeToChanges(socket, { after, environment: production.id });
    await organization.value({ parameter: await organization.parameter({ project: otherProject, name: 'other' }) });
    const parameter = await organization.parameter({ project: watched, name: 'watched' });
    await organization.value({ parameter, environment: production });
    await organization.environment({ name: 'qa' });

    expect((await takeNext(ofKind, 1)).map(eventObjectName)).toEqual(['qa']);
    expect((await takeNext(ofProject, 2)).map(({ type }) => type)).toEqual(['parameter_created', 'value_created']);
    expect(await takeNext(ofEnvironment, 1)).toMatchObject([
      { type: 'value_created', environment: { name: 'production' } },
    ]);
  });

  it('reach many subscriptions of one credential over one stream', async () => {
    const after = await cursorNow();
    const before = stack.gateway.subscriptions.streams;
    const subscriptions = Array.from({ length: 20 }, (_, index) =>
      index % 5 === 0 ? client(organization.ownerAuthorization) : null,
    );
    const sockets = subscriptions.flatMap((socket) => (socket ? [socket] : []));
    const watching = subscriptions.map((_, index) =>
      subscribeToChanges(sockets[index % sockets.length] as Client, { after }),
    );
    const summaryOf = Promise.all(watching.map((changes) => takeNext(changes, 1)));
    await organization.project({ name: 'shop' });

    expect((await summaryOf).flat().map(eventObjectName)).toEqual(Array(20).fill('shop'));
    expect(stack.gateway.subscriptions.streams).toBe(before + 1);
  });
});

describe('the feed with bookmarks', () => {
  it('first reports the revision from which it is live, and then changes', async () => {
    const { cursor } = (await organization.owner.get<{ cursor: string }>('events/?after=now')).body;
    const query = 'subscription { changeFeed { cursor revision change { type revision object { name } } } }';
    const messages = client(organization.ownerAuthorization).iterate<{ changeFeed: unknown }>({ query });
    expect((await messages.next()).value?.data).toEqual({ changeFeed: { cursor, revision: 1, change: null } });
    await organization.project({ name: 'shop' });

    expect((await messages.next()).value?.data).toMatchObject({
      changeFeed: { revision: 2, change: { type: 'project_created', revision: 2, object: { name: 'shop' } } },
    });
  });
});

describe('other events', () => {
  it('are received by clients that request their types, from the past and as they happen, and by no other client', async () => {
    const after = await cursorNow();
    const group = (name: string) => organization.owner.post('groups/', { name, users: [] });
    await group('before');
    const further = subscribeToChanges(client(organization.ownerAuthorization), {
      after,
      types: ['group_created', 'webhook_created'],
    });
    const plain = subscribeToChanges(client(organization.ownerAuthorization), { after });
    expect((await takeNext(further, 1)).map(eventObjectName)).toEqual(['before']);
    await group('live');
    await organization.webhook({ name: 'hook' });
    await organization.project({ name: 'shop' });

    expect((await takeNext(further, 2)).map(({ type, object }) => [type, object.name])).toEqual([
      ['group_created', 'live'],
      ['webhook_created', 'hook'],
    ]);
    expect((await takeNext(plain, 1)).map(eventObjectName)).toEqual(['shop']);
  });
});

describe('resuming a subscription', () => {
  it('after a cursor returns later changes, each once', async () => {
    const after = await cursorNow();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    for (const name of names.slice(0, 6)) await organization.project({ name });
    const first = await takeNext(subscribeToChanges(client(organization.ownerAuthorization), { after }), 4);
    const writing = (async () => {
      for (const name of names.slice(6)) await organization.project({ name });
    })();
    const second = await takeNext(
      subscribeToChanges(client(organization.ownerAuthorization), { after: first.at(-1)?.cursor }),
      8,
    );
    await writing;

    expect([...first, ...second].map(eventObjectName)).toEqual(names);
  });

  it('survives a restart of the core, without loss or duplicate, on the same socket', async () => {
    const after = await cursorNow();
    const socket = client(organization.ownerAuthorization);
    const changes = subscribeToChanges(socket, { after });
    await organization.project({ name: 'before' });
    expect((await takeNext(changes, 1)).map(eventObjectName)).toEqual(['before']);

    await core.close();
    core = await core.another();
    stack.core = core;
    organization = await afterCoreRestart(stack, organization);
    await organization.project({ name: 'after' });
    await organization.project({ name: 'later' });

    expect((await takeNext(changes, 2)).map(eventObjectName)).toEqual(['after', 'later']);
  });

  it.each`
    cursor          | what
    ${'nonsense'}   | ${'an invented cursor'}
    ${'c1.0.0.0.0'} | ${'a broken cursor'}
  `('after $what fails with CURSOR_EXPIRED', async ({ cursor }) => {
    const results = client(organization.ownerAuthorization).iterate({ query: WATCH, variables: { after: cursor } });

    await expect(results.next()).rejects.toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }]);
  });

  it('after a cursor of another organization fails', async () => {
    const mine = await cursorNow();
    const theirs = await stack.organization();
    const results = client(theirs.ownerAuthorization).iterate({ query: WATCH, variables: { after: mine } });

    await expect(results.next()).rejects.toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }]);
  });
});

describe('credentials', () => {
  it.each`
    what                 | authorization
    ${'none'}            | ${''}
    ${'an invented one'} | ${'Api-Key abcdefgh.0123456789012345678901234567890123456789012'}
  `('that are $what close the socket with 4403', async ({ authorization }) => {
    const socket = client(authorization);
    const whenEnded = waitForSocketClose(socket);
    socket.subscribe({ query: '{ changesCursor }' }, { next: () => {}, error: () => {}, complete: () => {} });

    expect(await whenEnded).toMatchObject({ code: 4403 });
  });

  it('that are revoked close the socket with 4403 within seconds', async () => {
    const account = await organization.owner.post<{ id: string; apikey: string }>('serviceaccounts/', {
      name: 'ci',
      role: 'VIEWER',
    });
    const socket = client(`Api-Key ${account.body.apikey}`);
    const whenEnded = waitForSocketClose(socket);
    const after = await cursorNow();
    const changes = subscribeToChanges(socket, { after });
    await organization.project({ name: 'shop' });
    await takeNext(changes, 1);

    await organization.owner.delete(`serviceaccounts/${account.body.id}/`);

    expect(await whenEnded).toMatchObject({ code: 4403 });
  });

  it('that lose or gain access to a project receive none or all of its following events on the same socket', async () => {
    const [closed, visibleProject] = [await organization.project(), await organization.project()];
    await organization.owner.patch(closed.url, { access_controlled: true });
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'VIEWER',
    });
    const changes = subscribeToChanges(client(`Api-Key ${body.apikey}`), { after: await cursorNow() });
    const messages: string[] = [];
    for (const round of ['first', 'second']) {
      const grant = { principal: body.user.url, scope: closed.url, role: 'VIEWER' };
      const { body: granted } = await organization.owner.post<Grant>('grants/', grant);
      await organization.parameter({ project: closed, name: `${round} heard` });
      messages.push(...(await takeNext(changes, 1)).map(eventObjectName));
      await organization.owner.delete(granted.url);
      await organization.parameter({ project: closed, name: `${round} unheard` });
      await organization.parameter({ project: visibleProject, name: `${round} open` });
      messages.push(...(await takeNext(changes, 1)).map(eventObjectName));
    }

    expect(messages).toEqual(['first heard', 'first open', 'second heard', 'second open']);
  });

  it('may be sent in the header of the handshake', async () => {
    const socket = new WebSocket(stack.socketUrl, 'graphql-transport-ws', {
      headers: { authorization: organization.ownerAuthorization },
    });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    const [message] = await new Promise<Buffer[]>((resolve) =>
      socket.once('message', (data) => resolve([data as Buffer])),
    );
    socket.close();

    expect(String(message)).toBe('{"type":"connection_ack"}');
  });
});

describe('stopping', () => {
  it('the gateway closes every socket with 1012', async () => {
    const ownStack = await GraphQLStack.start();
    const guests = await ownStack.organization();
    const socket = ownStack.socket(guests.ownerAuthorization);
    const whenEnded = waitForSocketClose(socket);
    const { data } = await ownStack.request('{ changesCursor }', {}, guests.ownerAuthorization);
    const changes = subscribeToChanges(socket, { after: data.changesCursor });
    await guests.project();
    await takeNext(changes, 1);

    await ownStack.close();

    expect(await whenEnded).toMatchObject({ code: 1012 });
  });
});
