import type { EventPage, Grant, Group, Page, ServiceAccountCreated } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { ListeningClient } from '../../testing/listening-client.ts';
import { createPerson, requestToken } from '../../testing/people.ts';

let core: RunningCore;
/** Another process. It receives notifications slightly later than the first one. */
let otherCore: OwnCore;
let organization: TestOrganization;
const open: ListeningClient[] = [];

beforeAll(async () => {
  core = await sharedCore();
  otherCore = await startSecondCore(core);
});
afterAll(async () => {
  await otherCore.close();
});
beforeEach(async () => {
  organization = await core.organization();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

interface Member {
  readonly id: string;
  readonly url: string;
  readonly account: string;
  readonly authorization: string;
}

async function member(): Promise<Member> {
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
    name: 'bot',
    role: 'VIEWER',
  });
  return { id: body.id, url: body.user.url, account: body.url, authorization: `Api-Key ${body.apikey}` };
}

async function listen(authorization: string, at: RunningCore = core): Promise<ListeningClient> {
  const stream = await ListeningClient.open(at.origin, { authorization });
  open.push(stream);
  await stream.until(() => stream.messages.length > 0);
  return stream;
}

/**
 * Creates a controlled project to write in, a member, and an open project. An event of the open project shows that all
 * earlier ones were sent.
 */
async function fixture() {
  const [forbidden, shownProject] = [await organization.project(), await organization.project()];
  await organization.owner.patch(forbidden.url, { access_controlled: true });
  const reader = await member();
  const write = async (where: typeof forbidden, name: string) => {
    await organization.parameter({ project: where, name });
  };
  return {
    closed: forbidden,
    reader,
    inControlled: (name: string) => write(forbidden, name),
    inOpen: (name: string) => write(shownProject, name),
    grant: () =>
      organization.owner.post<Grant>('grants/', { principal: reader.url, scope: forbidden.url, role: 'VIEWER' }),
  };
}

const names = (stream: ListeningClient) => stream.changes.map(({ object }) => object.name);

describe('a subscriber', () => {
  it.each([
    ['this process', () => core],
    ['another process', () => otherCore],
  ])(
    'to a stream of %s receives the events of a controlled project exactly from the change that grants access to the one that revokes it',
    async (_, at) => {
      const { reader, inControlled: inForbidden, inOpen, grant } = await fixture();
      const stream = await listen(reader.authorization, at());
      for (let round = 0; round < 4; round += 1) {
        const granted = await grant();
        await inForbidden(`heard ${round}`);
        await stream.until(() => names(stream).includes(`heard ${round}`));
        await organization.owner.delete(granted.body.url);
        await inForbidden(`unheard ${round}`);
        await inOpen(`open ${round}`);
        // When this event has arrived, all earlier ones were sent or will never be.
        await stream.until(() => names(stream).includes(`open ${round}`));
      }

      expect(names(stream)).toEqual([0, 1, 2, 3].flatMap((round) => [`heard ${round}`, `open ${round}`]));
    },
  );

  it('receives the first change after access was granted by a group or by the end of access control', async () => {
    const { closed, reader, inControlled, inOpen, grant } = await fixture();
    const stream = await listen(reader.authorization);
    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'team', users: [] });
    await organization.owner.post('grants/', { principal: group.url, scope: closed.url, role: 'VIEWER' });
    const ways: readonly (readonly [in_: () => Promise<unknown>, out: () => Promise<unknown>])[] = [
      [grant, () => organization.owner.delete(`grants/multi/?principal=${reader.id}`)],
      [
        () => organization.owner.post(`${group.url}add/?user=${encodeURIComponent(reader.url)}`),
        () => organization.owner.post(`${group.url}remove/?user=${encodeURIComponent(reader.url)}`),
      ],
      [
        () => organization.owner.patch(closed.url, { access_controlled: false }),
        () => organization.owner.patch(closed.url, { access_controlled: true }),
      ],
    ];
    for (const [index, [letIn, shutOut]] of ways.entries()) {
      await letIn();
      await inControlled(`heard ${index}`);
      await stream.until(() => names(stream).includes(`heard ${index}`));
      await shutOut();
      await inControlled(`unheard ${index}`);
      await inOpen(`open ${index}`);
      await stream.until(() => names(stream).includes(`open ${index}`));
    }

    expect(names(stream).filter((name) => name.startsWith('unheard'))).toEqual([]);
  });

  it('by long poll gains and loses access with the same changes', async () => {
    const { reader, inControlled, inOpen, grant } = await fixture();
    const client = new RawClient(core.origin, reader.authorization);
    const start = (await client.get<EventPage>('events/?after=now')).body.cursor;
    const poll = (after: string) => client.get<EventPage>(`events/?after=${after}&wait=20`);

    const waiting = poll(start);
    const granted = await grant();
    await inControlled('heard');
    const received = (await waiting).body;
    expect(received.results.map(({ object }) => object.name)).toEqual(['heard']);

    const still = poll(received.cursor);
    await organization.owner.delete(granted.body.url);
    await inControlled('unheard');
    await inOpen('open');
    const rest = (await still).body;
    expect(rest.results.map(({ object }) => object.name)).toEqual(['open']);
  });

  it.each<[string, (member: Member) => Promise<unknown>]>([
    ['service account was deleted', ({ account }) => organization.owner.delete(account)],
    ['key was replaced', ({ account }) => organization.owner.post(`${account}rekey/`, {})],
    ['membership was removed', ({ id }) => leave(id)],
  ])('receives no more events once their %s, and the close code contains the reason', async (_, end) => {
    const reader = await member();
    const streams = [await listen(reader.authorization), await listen(reader.authorization, otherCore)];
    const client = new RawClient(core.origin, reader.authorization);
    const { cursor } = (await client.get<EventPage>('events/?after=now')).body;
    const waiting = client.get(`events/?after=${cursor}&wait=20`);

    await end(reader);
    await organization.project({ name: 'after' });

    for (const stream of streams) {
      await stream.ended;
      expect(names(stream)).not.toContain('after');
      expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
    }
    expect(await waiting).toMatchObject({ status: 403, body: { detail: 'Incorrect authentication credentials.' } });
  });

  it('with a token receives no more events after their membership has ended', async () => {
    const reader = await createPerson(core, organization.id, 'VIEWER');
    const stream = await listen(`Bearer ${await requestToken(core, reader, organization.id)}`);

    await leave(reader.id);
    await organization.project({ name: 'after' });

    await stream.ended;
    expect(names(stream)).not.toContain('after');
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
  });
});

async function leave(user: string): Promise<void> {
  const { body } = await organization.owner.get<Page<{ url: string }>>(`memberships/?user=${user}`);
  await organization.owner.delete(body.results[0]?.url ?? '');
}
