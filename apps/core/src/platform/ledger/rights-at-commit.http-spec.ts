import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthToken, Group, Membership, Page, Project, ServiceAccountCreated, Value } from '@strata/contract';
import type { Role } from '@strata/domain';
import { ledgerProblems, RawClient, type Reply, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { controlledProject, createGrant } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';

let core: CoreInProcess;
/** Another core on the same database, with its own queues and its own cache of credentials. */
let beside: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  beside = await startSecondCore(core);
});
afterAll(async () => {
  await beside.close();
  await core.close();
});

const VALUES = 10;
const CHANGES = 240;

/** A writer, and the objects that they may write. */
interface Scene {
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly values: readonly Value[];
  readonly account: ServiceAccountCreated;
  readonly membershipId: string;
  readonly writer: RawClient;
  /** The owner, connected to the other core. */
  readonly owner: RawClient;
}

async function scene({ role = 'CONTRIB', controlled = false }: { role?: Role; controlled?: boolean } = {}) {
  const organization = await core.organization();
  const project = controlled ? await controlledProject(organization) : await organization.project();
  const account = await serviceAccount(organization, { role });
  const values: Value[] = [];
  for (let n = 0; n < VALUES; n += 1) {
    const parameter = await organization.parameter({ project, name: `p${n}` });
    values.push(await organization.value({ parameter, internal_value: 'before' }));
  }
  const { body: members } = await organization.owner.get<Page<Membership>>(
    `memberships/?user=${encodeURIComponent(account.user.url)}`,
  );
  return {
    organization,
    project,
    values,
    account,
    membershipId: members.results[0]?.id ?? '',
    writer: new RawClient(core.origin, `Api-Key ${account.apikey}`),
    owner: new RawClient(beside.origin, organization.ownerAuthorization),
  };
}

/** Sends writes of all kinds: in sets, one by one, alone, and with an Idempotency-Key. */
function writes({ project, values }: Scene, client: RawClient): Promise<Reply[]> {
  const importing = { project: project.name, environment: 'default', secrets: [], ignore: [] };
  return Promise.all([
    ...Array.from({ length: CHANGES }, (_, n) =>
      client.patch(values[n % VALUES]?.url ?? '', { internal_value: `after ${n}` }),
    ),
    ...Array.from({ length: 20 }, (_, n) => client.post(`${project.url}parameters/`, { name: `new${n}` })),
    ...Array.from({ length: 20 }, (_, n) =>
      client.patch(values[n % VALUES]?.url ?? '', { internal_value: `once ${n}` }, { 'idempotency-key': randomUUID() }),
    ),
    ...Array.from({ length: 5 }, (_, n) => client.post('import/', { ...importing, body: `I${n}=1\np0=imported` })),
  ]);
}

/** Returns the results of writes that waited while another write was committed before them. */
async function meanwhile(scene: Scene, client: RawClient, change: (owner: RawClient) => Promise<Reply>) {
  expect((await client.get(scene.project.url)).status).toBe(200); // the caller is cached from here on
  const head = await lockOrganizationHead(core, scene.organization.id);
  const changed = change(scene.owner);
  await head.waiting(1);
  const replies = writes(scene, client);
  await head.waiting(2);
  await sleep(300); // the other writes wait behind the first one by now
  await head.release();
  return { changed: await changed, replies: await replies };
}

async function texts({ organization, project }: Scene): Promise<readonly unknown[]> {
  const { body } = await organization.owner.get<Page<{ name: string; values: unknown }>>(
    `${project.url}parameters/?environment=default&page_size=100`,
  );
  return body.results;
}

const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code']}`;

async function expectNothingWritten(
  scene: Scene,
  client: RawClient,
  expectedError: string,
  change: (owner: RawClient) => Promise<Reply>,
): Promise<void> {
  const before = await texts(scene);
  const { changed, replies } = await meanwhile(scene, client, change);

  expect(changed.status).toBeLessThan(300);
  // On a busy machine, some of the waiting writes exceed their time limit first.
  const decided = replies.filter(({ status }) => status !== 503);
  expect([...new Set(decided.map(statusAndCode))]).toEqual([expectedError]);
  expect(await texts(scene)).toEqual(before);
  expect(await ledgerProblems(core.database.url)).toEqual([]);
}

describe('a write that waits is rejected, and stores nothing,', () => {
  it('if the API key is replaced meanwhile', async () => {
    const fixture = await scene();
    await expectNothingWritten(fixture, fixture.writer, '403 bad_credential', (owner) =>
      owner.post(`${fixture.account.url}rekey/`),
    );
  });

  it('if the service account is deleted meanwhile', async () => {
    const fixture = await scene();
    await expectNothingWritten(fixture, fixture.writer, '403 bad_credential', (owner) =>
      owner.delete(fixture.account.url),
    );
  });

  it('if the role of the caller is lowered meanwhile', async () => {
    const fixture = await scene();
    await expectNothingWritten(fixture, fixture.writer, '403 forbidden', (owner) =>
      owner.patch(`memberships/${fixture.membershipId}/`, { role: 'VIEWER' }),
    );
  });

  it('if the membership of the caller ends meanwhile', async () => {
    const fixture = await scene();
    const member = await createPerson(core, fixture.organization.id, 'CONTRIB');
    await expectNothingWritten(fixture, member.client, '403 bad_credential', (owner) =>
      owner.delete(`memberships/${member.membershipId}/`),
    );
  });

  it('if the grant of the caller is removed meanwhile', async () => {
    const fixture = await scene({ controlled: true });
    const { body } = await createGrant(fixture.organization, fixture.account.user.url, fixture.project.url, 'CONTRIB');
    await expectNothingWritten(fixture, fixture.writer, '403 forbidden', (owner) => owner.delete(body.url));
  });

  it('if the caller is removed meanwhile from the group that has the grant', async () => {
    const fixture = await scene({ controlled: true });
    const { body: group } = await fixture.organization.owner.post<Group>('groups/', {
      name: 'writers',
      users: [fixture.account.user.url],
    });
    await createGrant(fixture.organization, group.url, fixture.project.url, 'CONTRIB');
    await expectNothingWritten(fixture, fixture.writer, '403 forbidden', (owner) =>
      owner.post(`${group.url}remove/?user=${encodeURIComponent(fixture.account.user.url)}`),
    );
  });

  it('if access control is turned on meanwhile for the project', async () => {
    const fixture = await scene();
    await expectNothingWritten(fixture, fixture.writer, '403 forbidden', (owner) =>
      owner.patch(fixture.project.url, { access_controlled: true }),
    );
  });

  it('if the API key expires meanwhile', async () => {
    const fixture = await scene();
    const { body } = await fixture.organization.owner.post<ServiceAccountCreated>(`${fixture.account.url}rekey/`, {
      expire_at: new Date(Date.now() + 1_500).toISOString(),
    });
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    expect((await client.get(fixture.project.url)).status).toBe(200);
    const before = await texts(fixture);
    const head = await lockOrganizationHead(core, fixture.organization.id);

    const replies = writes(fixture, client);
    await head.waiting(1);
    await sleep(2_000);
    await head.release();

    expect([...new Set((await replies).map(statusAndCode))]).toEqual(['403 bad_credential']);
    expect(await texts(fixture)).toEqual(before);
  });

  it.each([
    ['the session of the caller ends', 'auth/session/', 'auth/session/'],
    ['the caller signs out everywhere', 'auth/token/', 'users/current/tokens/'],
  ])('if %s meanwhile, which creates no revision', async (_, begins, ends) => {
    const fixture = await scene();
    const { email, password } = await createPerson(core, fixture.organization.id, 'CONTRIB');
    const { body } = await new RawClient(core.origin, null).post<AuthToken>(begins, { email, password });
    const client = new RawClient(core.origin, `Bearer ${body.access_token}`);
    expect((await client.get(fixture.project.url)).status).toBe(200);
    const before = await texts(fixture);
    const head = await lockOrganizationHead(core, fixture.organization.id);
    const replies = writes(fixture, client);
    await head.waiting(1);

    expect((await client.delete(ends)).status).toBeLessThan(300);
    await head.release();

    expect([...new Set((await replies).map(statusAndCode))]).toEqual(['403 bad_credential']);
    expect(await texts(fixture)).toEqual(before);
  });

  it('if a write before it in the queue of the same process replaces the API key', async () => {
    const fixture = await scene();
    expect((await fixture.writer.get(fixture.project.url)).status).toBe(200);
    const head = await lockOrganizationHead(core, fixture.organization.id);

    // the first write changes no people, so the later writes detect the revoked key in their own transaction
    const first = fixture.organization.owner.patch(fixture.values[0]?.url ?? '', { internal_value: 'first' });
    await head.waiting(1);
    const ended = fixture.organization.owner.post(`${fixture.account.url}rekey/`);
    await sleep(100);
    const replies = writes(fixture, fixture.writer);
    await sleep(300);
    await head.release();

    expect([(await first).status, (await ended).status]).toEqual([200, 200]);
    expect([...new Set((await replies).map(statusAndCode))]).toEqual(['403 bad_credential']);
    expect(JSON.stringify(await texts(fixture))).not.toMatch(/after \d|once \d|new\d|imported/);
  });
});

describe('a write of a caller who is still authorized', () => {
  it('is stored, although the access of another caller ended while it waited', async () => {
    const fixture = await scene();
    const otherAccount = await serviceAccount(fixture.organization, { role: 'CONTRIB' });

    const { replies } = await meanwhile(fixture, fixture.writer, (owner) => owner.delete(otherAccount.url));

    expect(replies.filter(({ status }) => status >= 300).map(statusAndCode)).toEqual([]);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('is checked with the new role of the caller, and not with the old one', async () => {
    const fixture = await scene({ role: 'OWNER' });
    expect((await fixture.writer.get(fixture.project.url)).status).toBe(200);
    const head = await lockOrganizationHead(core, fixture.organization.id);

    const lowered = fixture.owner.patch(`memberships/${fixture.membershipId}/`, { role: 'ADMIN' });
    await head.waiting(1);
    const grants = Promise.all(
      (['OWNER', 'ADMIN'] as const).flatMap((role) => [
        fixture.writer.post('invitations/', { email: `${randomUUID()}@example.com`, role }),
        fixture.writer.post('serviceaccounts/', { name: role, role }),
      ]),
    );
    await head.waiting(2);
    await head.release();

    expect((await lowered).status).toBe(200);
    expect((await grants).map(({ status }) => status)).toEqual([403, 403, 201, 201]);
    expect((await grants).slice(0, 2).map(statusAndCode)).toEqual(['403 role_above_own', '403 role_above_own']);
  });

  it('does not look up its caller again if no people or permissions have changed', async () => {
    const { values, writer } = await scene();
    const [{ url } = { url: '' }] = values;
    const lookups: string[][] = [];
    for (const text of ['warm', '1', '2', '3', '4']) {
      core.statements();
      expect((await writer.patch(url, { internal_value: text })).status).toBe(200);
      lookups.push(core.statements().filter((statement) => /\bmembership\b/.test(statement)));
    }
    // on a busy machine, a write may begin more than a second after the previous one, and the caller is then looked up
    // again
    expect(lookups).toContainEqual([]);
  });
});

describe('the last revision that changed people or permissions', () => {
  it('is read from an index of such revisions only, so that the length of the ledger does not matter', async () => {
    const { values, writer } = await scene();
    core.statements();
    await writer.patch(values[0]?.url ?? '', { internal_value: 'after' });
    const statement = core.statements().find((text) => text.includes('maintenance'));

    const client = new pg.Client({ connectionString: core.database.url });
    await client.connect();
    try {
      await client.query('set enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement}`);

      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('using change_of_people');
    } finally {
      await client.end();
    }
  });
});

describe('a write that waits for too long', () => {
  it('returns 503 and stores nothing', async () => {
    const hasty = await startSecondCore(core, { STRATA_WRITE_WAIT_SECONDS: '1' });
    try {
      const fixture = await scene();
      const writer = new RawClient(hasty.origin, `Api-Key ${fixture.account.apikey}`);
      expect((await writer.get(fixture.project.url)).status).toBe(200);
      const head = await lockOrganizationHead(core, fixture.organization.id);
      const first = writer.post('environments/', { name: 'first' });
      await head.waiting(1);

      const replies = await writes(fixture, writer);
      await head.release();

      expect([...new Set(replies.map(statusAndCode))]).toEqual(['503 contention']);
      expect(replies.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
      expect((await first).status).toBe(201);
    } finally {
      await hasty.close();
    }
  });
});
