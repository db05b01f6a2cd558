import type { ServiceAccountCreated } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { Client } from 'graphql-ws';
import { useSharedGraphQL } from './graphql-access.ts';
import { takeNext } from './graphql-stack.ts';

const WATCH = 'subscription ($after: String) { changes(after: $after) { cursor object { name } } }';
const CURSOR = '{ changesCursor }';
const PROJECTS = '{ projects(first: 50) { edges { node { name } } } }';

const access = useSharedGraphQL();
let clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  clients = [];
});

function client(authorization: string): Client {
  const client = access.stack.socket(authorization);
  clients.push(client);
  return client;
}

/** Returns the names of changed objects from a new subscription. */
async function watch(authorization: string): Promise<AsyncGenerator<string, void, undefined>> {
  const { changesCursor: after } = await access.stack.data(CURSOR, {}, authorization);
  const results = client(authorization).iterate<{ changes: { object: { name: string } } }>({
    query: WATCH,
    variables: { after },
  });
  return (async function* () {
    for await (const { data, errors } of results) {
      if (errors || !data) throw new Error(JSON.stringify(errors));
      yield data.changes.object.name;
    }
  })();
}

async function fetchViewer(organization: TestOrganization): Promise<string> {
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
    name: 'reader',
    role: 'VIEWER',
  });
  return `Api-Key ${body.apikey}`;
}

const names = (prefix: string) => Array.from({ length: 6 }, (_, index) => `${prefix}-${index}`);

describe('on one gateway', () => {
  it('organizations that subscribe at the same time receive only their own changes, each once', async () => {
    const [ours, theirs] = [access.organization, await access.stack.organization()];
    const [here, there] = [await watch(ours.ownerAuthorization), await watch(theirs.ownerAuthorization)];
    // Both subscriptions must receive a change first, so that both are live when the test begins.
    const live = Promise.all([takeNext(here, 1), takeNext(there, 1)]);
    await ours.project({ name: 'ours' });
    await theirs.project({ name: 'theirs' });
    expect(await live).toEqual([['ours'], ['theirs']]);

    for (const [index, name] of names('ours').entries()) {
      await ours.project({ name });
      await theirs.project({ name: names('theirs')[index] ?? '' });
    }

    expect(await Promise.all([takeNext(here, 6), takeNext(there, 6)])).toEqual([names('ours'), names('theirs')]);
  });

  it('a caller without access to a project receives no event of it, although another caller of the organization does', async () => {
    const organization = access.organization;
    const [closed, open] = [await organization.project(), await organization.project()];
    await organization.owner.patch(closed.url, { access_controlled: true });
    const owner = await watch(organization.ownerAuthorization);
    const viewer = await watch(await fetchViewer(organization));
    for (const name of names('each')) {
      await organization.parameter({ project: closed, name: `closed-${name}` });
      await organization.parameter({ project: open, name: `open-${name}` });
    }

    expect(await takeNext(viewer, 6)).toEqual(names('open-each'));
    expect(await takeNext(owner, 12)).toEqual(names('each').flatMap((name) => [`closed-${name}`, `open-${name}`]));
  });

  it('organizations that send the same query at the same moment each receive their own data', async () => {
    const [ours, theirs] = [access.organization, await access.stack.organization()];
    await ours.project({ name: 'ours' });
    await theirs.project({ name: 'theirs' });
    const sockets = [ours, theirs].map(({ ownerAuthorization }) => client(ownerAuthorization));
    const send = async (socket: Client | undefined) => {
      const results = socket?.iterate<{ projects: { edges: { node: { name: string } }[] } }>({ query: PROJECTS });
      const [answer] = results ? await takeNext(results, 1) : [];
      return answer?.data?.projects.edges.map(({ node }) => node.name);
    };
    const responses = Array.from({ length: 10 }, () => [send(sockets[0]), send(sockets[1])]).flat();

    for (const [index, response] of (await Promise.all(responses)).entries()) {
      expect(response).toContain(index % 2 === 0 ? 'ours' : 'theirs');
      expect(response).not.toContain(index % 2 === 0 ? 'theirs' : 'ours');
    }
  });
});
