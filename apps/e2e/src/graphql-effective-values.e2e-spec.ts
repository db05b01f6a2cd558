import { setTimeout as sleep } from 'node:timers/promises';
import type { Effective, Parameter, Project, ServiceAccountCreated } from '@strata/contract';
import { type OwnCore, sharedCore, type TestOrganization } from '@strata/testkit';
import type { Client } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { afterCoreRestart, GraphQLStack } from './graphql-stack.ts';
import { waitForSocketClose } from './received-events.ts';

const FOLLOW = `subscription ($project: ID!, $environment: ID!, $after: String, $names: [String!], $reveal: Boolean!) {
  effectiveValues(projectId: $project, environmentId: $environment, after: $after, names: $names, reveal: $reveal) {
    __typename cursor revision
    ... on EffectiveSnapshot { digest values { name value } masked }
    ... on EffectiveDelta { digest changes { name kind value masked changeset source { project { name } environment { name } } } }
    ... on EffectiveProblem { names detail }
    ... on EffectiveBookmark { digest }
    ... on EffectiveReset { reason }
  }
}`;

const RECEIVES_WITHIN_MS = 30_000;

interface Message {
  readonly __typename: string;
  readonly cursor: string;
  readonly revision: number;
  readonly digest?: string;
  readonly names?: readonly string[];
  readonly masked?: readonly string[];
  readonly reason?: string;
  readonly values?: readonly { readonly name: string; readonly value: string | null }[];
  readonly changes?: readonly { readonly name: string; readonly kind: string; readonly value: string | null }[];
}

let core: OwnCore;
let stack: GraphQLStack;
let second: GraphQLStack;
let organization: TestOrganization;
let project: Project;
let parameter: Parameter;
let clients: Client[] = [];

beforeAll(async () => {
  core = await (await sharedCore()).another();
  [stack, second] = await Promise.all([GraphQLStack.start(core), GraphQLStack.start(core)]);
});
afterAll(async () => {
  await Promise.all([stack.close(), second.close()]);
  await core.close();
});
beforeEach(async () => {
  organization = await stack.organization();
  project = await organization.project({ name: 'shop' });
  parameter = await organization.parameter({ project, name: 'PORT' });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  clients = [];
});

/** A program that applies the messages of its subscription. */
class Follower {
  readonly received: Message[] = [];
  readonly socket: Client;
  private failure: unknown = null;
  private values = new Map<string, string | null>();

  constructor(
    variables: Record<string, unknown> = {},
    { authorization = organization.ownerAuthorization, on = stack, of = project } = {},
  ) {
    this.socket = on.socket(authorization);
    clients.push(this.socket);
    void new Promise((resolve) => {
      this.socket.subscribe<{ effectiveValues: Message }>(
        { query: FOLLOW, variables: { project: of.id, environment: 'default', reveal: false, ...variables } },
        {
          next: ({ data, errors }) => (data ? this.take(data.effectiveValues) : resolve(errors)),
          error: resolve,
          complete: () => resolve(null),
        },
      );
    }).then((failure) => {
      this.failure = failure;
    });
  }

  get map(): Record<string, string | null> {
    return Object.fromEntries(this.values);
  }

  get last(): Message {
    return this.received.at(-1) as Message;
  }

  get types(): string[] {
    return this.received.map(({ __typename }) => __typename.replace('Effective', ''));
  }

  /** Fails before the timeout of the test, with the messages that were received instead. */
  async until(isEnough: () => boolean): Promise<this> {
    const end = performance.now() + RECEIVES_WITHIN_MS;
    while (!isEnough()) {
      if (performance.now() > end) throw new Error(`Received only ${JSON.stringify([this.received, this.failure])}`);
      await sleep(10);
    }
    return this;
  }

  /** Returns the errors that end the subscription. */
  async failed(): Promise<unknown> {
    await this.until(() => this.failure !== null);
    return this.failure;
  }

  untilBegun(): Promise<this> {
    return this.until(() => this.received.length > 0);
  }

  untilRevision(revision: number): Promise<this> {
    return this.until(() => this.received.some((message) => message.revision >= revision));
  }

  private take(message: Message): void {
    if (message.values) this.values = new Map(message.values.map(({ name, value }) => [name, value]));
    for (const { name, kind, value } of message.changes ?? []) {
      if (kind === 'unset') this.values.delete(name);
      else this.values.set(name, value);
    }
    this.received.push(message);
  }
}

const set = (text: string | null, target = parameter) =>
  organization.value({ parameter: target, internal_value: text });

async function effective(query = 'mask_secrets=true'): Promise<{ body: Effective; revision: number }> {
  const { body, headers } = await organization.owner.get<Effective>(`projects/${project.id}/effective/?${query}`);
  return { body, revision: Number(headers['x-revision']) };
}

describe('a subscription to effective values', () => {
  it('folds to the effective configuration of each revision that it reaches', async () => {
    const follower = new Follower();
    await follower.untilBegun();
    const host = await organization.parameter({ project, name: 'HOST' });
    const value = await set('8080');
    await set('example.org', host);
    await organization.owner.patch(value.url, { internal_value: '9090' });
    await organization.owner.delete(`projects/${project.id}/parameters/${host.id}/`);
    const { body, revision } = await effective();
    await follower.untilRevision(revision);

    expect(follower.types[0]).toBe('Snapshot');
    expect(follower.map).toEqual(body.values);
    expect(follower.last.digest).toBe(body.digest);
    expect(follower.received.flatMap(({ changes = [] }) => changes)).toMatchObject([
      {
        name: 'PORT',
        kind: 'set',
        value: '8080',
        source: { project: { name: 'shop' }, environment: { name: 'default' } },
      },
      { name: 'HOST', kind: 'set', value: 'example.org' },
      { name: 'PORT', kind: 'changed', value: '9090' },
      { name: 'HOST', kind: 'unset', value: null, source: null },
    ]);
  });

  it('continues after its cursor on another gateway with exactly what it has missed', async () => {
    await set('1');
    const first = new Follower();
    await first.untilBegun();
    await first.socket.dispose();
    const values = await organization.owner.get<{ results: { url: string }[] }>(`${parameter.url}values/`);
    await organization.owner.patch(values.body.results[0]?.url ?? '', { internal_value: '2' });
    const { revision } = await effective();
    const resumed = await new Follower({ after: first.last.cursor }, { on: second }).untilRevision(revision);

    expect(resumed.received.flatMap(({ changes = [] }) => changes)).toMatchObject([
      { name: 'PORT', kind: 'changed', value: '2', changeset: revision },
    ]);
    expect(resumed.types).not.toContain('Snapshot');
  });

  it('continues on the same socket when the core restarts, without a new snapshot', async () => {
    const follower = new Follower();
    await follower.untilBegun();
    await core.close();
    core = await core.another();
    stack.core = core;
    second.core = core;
    organization = await afterCoreRestart(stack, organization);
    await set('after');
    const { revision } = await effective();
    await follower.untilRevision(revision);

    expect(follower.map).toEqual({ PORT: 'after' });
    expect(follower.types.filter((type) => type === 'Snapshot')).toHaveLength(1);
  });

  it('reports values that cannot be evaluated, and keeps the others', async () => {
    const port = await set('8080');
    const twice = await organization.parameter({ project, name: 'TWICE' });
    await organization.value({ parameter: twice, internal_value: '{{ PORT }}'.repeat(17), interpolated: true });
    const follower = await new Follower().untilBegun();
    const before = follower.map;
    await organization.owner.patch(port.url, { internal_value: 'x'.repeat(65_000) });
    await follower.until(() => follower.types.includes('Problem'));

    expect(follower.last).toMatchObject({ names: ['TWICE'], detail: expect.stringContaining('cannot be evaluated') });
    expect(follower.map).toEqual(before);
  });

  it('delivers secrets only if it requests them, and only the requested names', async () => {
    const secret = await organization.parameter({ project, name: 'PASSWORD', secret: true });
    await set('hunter2', secret);
    await set('1');
    const [masked, revealed] = [new Follower(), new Follower({ reveal: true, names: ['PASSWORD'] })];
    await Promise.all([masked.untilBegun(), revealed.untilBegun()]);

    expect(masked.map).toEqual({ PASSWORD: '*****', PORT: '1' });
    expect(masked.last.masked).toEqual(['PASSWORD']);
    expect(revealed.map).toEqual({ PASSWORD: 'hunter2' });
  });
});

describe('an instance', () => {
  const REPORT = 'mutation ($input: ReportInstanceInput!) { reportInstance(input: $input) { __typename } }';
  const ROLLOUT = `query ($project: String!, $status: InstanceStatus, $first: Int!) {
    rollout(project: $project, environment: "default", status: $status, first: $first) {
      converged total current lagging refused count results { instance status reason account { name } }
    }
  }`;

  it('reports on the socket of its subscription what it runs or rejects, and the rollout shows it', async () => {
    await set('8080');
    const follower = await new Follower().untilBegun();
    const { revision, digest } = follower.last;
    const report = async (instance: string, outcome: object) => {
      const input = { project: project.id, environment: 'default', instance, revision, ...outcome };
      const { value } = await follower.socket.iterate({ query: REPORT, variables: { input } }).next();
      expect(value?.errors).toBeUndefined();
    };
    await report('worker-1', { digest });
    await report('worker-2', { digest });
    await report('worker-3', { digest, reason: 'PORT is taken' });
    const rollout = async (more: object) => {
      const variables = { project: project.id, first: 50, ...more };
      return (await stack.data(ROLLOUT, variables, organization.ownerAuthorization)).rollout;
    };

    expect(await rollout({ first: 1 })).toMatchObject({
      ...{ converged: false, total: 3, current: 2, lagging: 0, refused: 1, count: 3 },
      results: [
        { instance: 'worker-3', status: 'refused', reason: 'PORT is taken', account: { name: expect.any(String) } },
      ],
    });
    expect((await rollout({ status: 'current' })).results).toMatchObject([
      { instance: 'worker-1' },
      { instance: 'worker-2' },
    ]);
    const theirs = await stack.organization();
    const variables = { project: project.id, first: 50 };
    expect(await stack.data(ROLLOUT, variables, theirs.ownerAuthorization)).toEqual({ rollout: null });
  });
});

describe('a slow reader', () => {
  it('is disconnected with the cursor to continue after, and continues on a new socket', async () => {
    const ownStack = await GraphQLStack.start(core, { slowAfterMs: 200, socketTimes: { closingMs: 120_000 } });
    try {
      const large = await organization.value({ parameter, internal_value: 'x'.repeat(65_000) });
      const follower = new Follower({}, { on: ownStack });
      const connection = new Promise<WebSocket>((resolve) => {
        follower.socket.on('opened', (socket) => resolve(socket as WebSocket));
      });
      const whenEnded = waitForSocketClose(follower.socket);
      await follower.untilBegun();
      (await connection).pause();
      // More than the buffers of the connection hold.
      for (let index = 0; index < 150; index += 1) {
        await organization.owner.patch(large.url, { internal_value: String(index).padEnd(65_000, 'y') });
      }
      await sleep(1_500);
      (await connection).resume();
      const { code, reason } = await whenEnded;
      const { received } = follower;

      expect({ code, reason }).toEqual({ code: 1013, reason: `SLOW_CONSUMER after ${received.at(-1)?.cursor}` });
      const { revision, body } = await effective();
      expect(received.at(-1)?.revision).toBeLessThan(revision);
      const resumed = await new Follower({ after: received.at(-1)?.cursor }).untilRevision(revision);
      expect(resumed.map).toEqual(body.values);
    } finally {
      await ownStack.close();
    }
  });
});

describe('a subscription that may not continue', () => {
  async function viewer(): Promise<{ account: ServiceAccountCreated; authorization: string }> {
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'VIEWER',
    });
    return { account: body, authorization: `Api-Key ${body.apikey}` };
  }

  it('ends with FORBIDDEN and nothing more when its grant is revoked, while the socket stays open', async () => {
    const { account, authorization } = await viewer();
    await organization.owner.patch(project.url, { access_controlled: true });
    const grant = { principal: account.user.url, scope: project.url, role: 'VIEWER' };
    const { url } = (await organization.owner.post<{ url: string }>('grants/', grant)).body;
    const follower = new Follower({}, { authorization });
    await follower.untilBegun();
    await organization.owner.delete(url);
    await set('secret to this caller');

    expect(await follower.failed()).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'forbidden' } }]);
    expect(JSON.stringify(follower.received)).not.toContain('secret to this caller');
    const still = follower.socket.iterate({ query: '{ changesCursor }' });
    expect((await still.next()).value?.data).toEqual({ changesCursor: expect.any(String) });
  });

  it('ends with NOT_FOUND when its project is deleted', async () => {
    const follower = new Follower();
    await follower.untilBegun();
    await organization.owner.delete(project.url);

    expect(await follower.failed()).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  it('closes the socket when its credential is revoked', async () => {
    const { account, authorization } = await viewer();
    const follower = new Follower({}, { authorization });
    await follower.untilBegun();
    const whenEnded = waitForSocketClose(follower.socket);
    await organization.owner.delete(`serviceaccounts/${account.id}/`);

    expect(await whenEnded).toMatchObject({ code: 4403 });
  });

  it('is NOT_FOUND for a project of another organization', async () => {
    const theirs = await stack.organization();
    const follower = new Follower({}, { authorization: theirs.ownerAuthorization });

    expect(await follower.failed()).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(follower.received).toEqual([]);
  });

  it.each`
    variables                | what
    ${{ after: 'nonsense' }} | ${'an invented cursor'}
    ${{ after: '' }}         | ${'an empty cursor'}
    ${{ names: [] }}         | ${'no names'}
    ${{ names: ['A,B'] }}    | ${'a name with a comma'}
  `('is rejected with $what', async ({ variables }) => {
    expect(await new Follower(variables).failed()).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});
