import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AccessExplanationPage,
  AccessRequest,
  CredentialConfirmation,
  Grant,
  Page,
  Project,
  Value,
} from '@strata/contract';
import { ledgerProblems, RawClient, type Reply, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../testing/core-in-process.ts';
import { EffectiveClient } from '../../testing/effective-client.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { waitUntil } from '../../testing/until.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

interface Scene {
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly value: Value;
  readonly member: TestMember;
  /** The credential of the member. */
  readonly authorization: string;
}

async function createScene(): Promise<Scene> {
  const organization = await core.organization();
  const project = await controlledProject(organization);
  const parameter = await organization.parameter({ project, name: 'PORT' });
  const value = await organization.value({ parameter, internal_value: 'before' });
  const { user, apikey } = await serviceAccount(organization, { role: 'CONTRIB' });
  const authorization = `Api-Key ${apikey}`;
  const member = { url: user.url, client: new RawClient(core.origin, authorization) };
  return { organization, project, value, member, authorization };
}

async function grantFor({ organization, project, member }: Scene, seconds: number, role = 'CONTRIB'): Promise<Grant> {
  const reply = await organization.owner.post<Grant>('grants/', {
    ...{ principal: member.url, scope: project.url, role, expires_at: inSeconds(seconds) },
  });
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, '']);
  return reply.body;
}

const untilAfter = ({ expires_at: end }: Pick<Grant, 'expires_at'>) => sleep(Date.parse(end ?? '') - Date.now() + 20);

const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code'] ?? ''}`;

/** Removes what has expired, as the core does at an interval. */
async function removeExpired(): Promise<void> {
  const { ExpiredGrants } = await moduleOfCore<typeof import('./expired-grants.ts')>(
    './features/access/expired-grants.js',
  );
  await core.core.app.get(ExpiredGrants).run();
}

async function explainMember({ organization, project, member }: Scene, pointInTime: object = {}) {
  const query = new URLSearchParams({ project: project.id, who: member.url, ...pointInTime });
  const { body } = await organization.owner.get<AccessExplanationPage>(`access/explain/?${query}`);
  return body.results[0];
}

describe('a temporary grant', () => {
  it('permits reading and writing until its end, and no stored response is sent after it', async () => {
    const scene = await createScene();
    const { project, value, member } = scene;
    const url = `${project.url}effective/`;
    const { etag } = (await member.client.get(url)).headers;
    expect((await member.client.get(url)).status).toBe(403);
    const grant = await grantFor(scene, 3);
    const written = await member.client.patch(value.url, { internal_value: 'during' });
    expect(written.status).toBe(200);
    const during = await member.client.get(url);
    const repeated = await Promise.all(Array.from({ length: 5 }, () => member.client.get(url)));
    expect([during.status, ...repeated.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200, 200]);
    expect(etag).not.toBe(during.headers.etag);

    while (Date.now() < Date.parse(grant.expires_at ?? '') + 20) await member.client.get(url);
    const conditional = await member.client.get(url, { 'if-none-match': during.headers.etag ?? '' });
    expect([statusAndCode(await member.client.get(url)), statusAndCode(conditional)]).toEqual([
      '403 forbidden',
      '403 forbidden',
    ]);
    expect((await member.client.patch(value.url, { internal_value: 'after' })).status).toBe(403);
    const { body } = await scene.organization.owner.get<Value>(value.url);
    expect(body.internal_value).toBe('during');
  });

  it('rejects a write that waited beyond its end, and stores nothing', async () => {
    const scene = await createScene();
    const { organization, project, value, member } = scene;
    const grant = await grantFor(scene, 3);
    expect((await member.client.get(project.url)).status).toBe(200);
    const head = await lockOrganizationHead(core, organization.id);
    const first = organization.owner.patch(project.url, { description: 'first' });
    await head.waiting(1);
    const writes = [
      ...Array.from({ length: 5 }, (_, n) => member.client.patch(value.url, { internal_value: `late ${n}` })),
      member.client.post(`${project.url}parameters/`, { name: 'LATE' }),
      member.client.post('import/', {
        project: project.name,
        environment: 'default',
        secrets: [],
        ignore: [],
        body: 'LATER=1',
      }),
    ];
    await head.arrival();
    await untilAfter(grant);
    await head.release();
    expect((await first).status).toBe(200);
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403]);
    const { body } = await organization.owner.get<Page<{ name: string }>>(`${project.url}parameters/`);
    expect(body.results.map(({ name }) => name)).toEqual(['PORT']);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('rejects a write that runs until after its end', async () => {
    const scene = await createScene();
    const { organization, project, member } = scene;
    const grant = await grantFor(scene, 2);
    const lines = Array.from({ length: 50 }, (_, n) => `LINE_${n}=1`).join('\n');
    await slowDown(organization.id, 3);
    const reply = await member.client.post('import/', {
      project: project.name,
      environment: 'default',
      secrets: [],
      ignore: [],
      body: lines,
    });
    await slowDown(organization.id, 0);
    const isLate = Date.now() > Date.parse(grant.expires_at ?? '');
    expect([isLate, reply.status, reply.text]).toEqual([true, 403, expect.any(String)]);
  });

  it('closes streams at its end, without a revision', async () => {
    const scene = await createScene();
    const { project, authorization } = scene;
    const grant = await grantFor(scene, 2, 'VIEWER');
    const stream = new EffectiveClient(core.origin, `projects/${project.id}/effective/stream/`, authorization);
    await stream.open();
    await stream.until(() => stream.received.length > 0);
    await stream.until(() => !stream.isOpen);
    const lateMs = Date.now() - Date.parse(grant.expires_at ?? '');
    expect(stream.last?.message).toMatchObject({ kind: 'close', code: 'forbidden' });
    expect(lateMs).toBeGreaterThanOrEqual(-50);
    expect(lateMs).toBeLessThan(1_500);
  });

  it('is confirmed to an edge only until its end', async () => {
    const scene = await createScene();
    const grant = await grantFor(scene, 60, 'VIEWER');
    const environment = await scene.organization.environmentNamed('default');
    const query = `project=${scene.project.id}&environment=${environment.id}`;
    const { body } = await scene.member.client.get<CredentialConfirmation>(`users/current/confirmation/?${query}`);
    expect(Date.parse(body.expires_at ?? '')).toBe(Date.parse(grant.expires_at ?? ''));
  });

  it('is explained at every instant, also after its end and its removal', async () => {
    const scene = await createScene();
    const before = inSeconds(0);
    const grant = await grantFor(scene, 1);
    await untilAfter(grant);
    const at = (instant: number) => explainMember(scene, { as_of: new Date(instant).toISOString() });
    const end = Date.parse(grant.expires_at ?? '');
    const expectExplained = async () => {
      expect(await at(end - 100)).toMatchObject({
        ...{ read: true, write: true },
        project: { candidates: [{ kind: 'grant', role: 'CONTRIB', expires_at: grant.expires_at, wins: true }, {}] },
      });
      expect(await at(end + 1)).toMatchObject({ read: false, write: false });
      expect(await at(Date.parse(before))).toMatchObject({ read: false });
      expect(await explainMember(scene)).toMatchObject({ read: false, write: false });
    };
    await expectExplained();
    await removeExpired();
    await expectExplained();
  });

  it('is listed until its end, and its removal is in the history', async () => {
    const scene = await createScene();
    const { organization, project } = scene;
    const grant = await grantFor(scene, 1, 'VIEWER');
    const list = async () =>
      (await organization.owner.get<Page<Grant>>(`grants/?scope=${encodeURIComponent(project.url)}`)).body.results;
    expect((await list()).map(({ expires_at: end }) => end)).toEqual(expect.arrayContaining([null, grant.expires_at]));
    await untilAfter(grant);
    expect((await list()).map(({ id }) => id)).not.toContain(grant.id);
    await removeExpired();
    await removeExpired();
    const { body } = await organization.owner.get<Page<{ actor_name: string; changes: object[] }>>('changesets/');
    const removals = body.results.filter(({ actor_name: actor }) => actor === 'Grant expiry');
    expect(removals).toHaveLength(1);
    expect(removals[0]?.changes).toMatchObject([{ action: 'delete', object_type: 'Grant', object_id: grant.id }]);
  });

  it('needs a restricted scope, a role below OWNER, and an end within a year, and cannot be changed', async () => {
    const scene = await createScene();
    const { organization, project, member } = scene;
    const open = await organization.project();
    const input = { principal: member.url, scope: project.url, role: 'VIEWER', expires_at: inSeconds(60) };
    const rejected = await Promise.all([
      organization.owner.post('grants/', { ...input, scope: open.url }),
      organization.owner.post('grants/', { ...input, role: 'OWNER' }),
      organization.owner.post('grants/', { ...input, expires_at: inSeconds(-1) }),
      organization.owner.post('grants/', { ...input, expires_at: inSeconds(400 * 86_400) }),
      organization.owner.post('grants/', { ...input, expires_at: 'soon' }),
      member.client.post('grants/', input),
    ]);
    expect(rejected.map(statusAndCode)).toEqual([
      ...['400 scope_not_restricted', '400 temporary_owner', '400 end_out_of_range', '400 end_out_of_range'],
      ...['400 invalid', '403 forbidden'],
    ]);
    const grant = await grantFor(scene, 60, 'VIEWER');
    const changed = await organization.owner.patch(grant.url, { role: 'ADMIN' });
    expect(statusAndCode(changed)).toBe('400 temporary_grant_fixed');
    expect((await organization.owner.delete(grant.url)).status).toBe(204);
    expect((await member.client.get(`${project.url}effective/`)).status).toBe(403);
  });

  it('counts with other grants of the member: the highest role decides, and the lower one remains', async () => {
    const scene = await createScene();
    const { organization, project, value, member } = scene;
    await createGrant(organization, member.url, project.url, 'VIEWER');
    const grant = await grantFor(scene, 2);
    expect((await member.client.patch(value.url, { internal_value: 'during' })).status).toBe(200);
    await untilAfter(grant);
    expect((await member.client.patch(value.url, { internal_value: 'after' })).status).toBe(403);
    expect((await member.client.get(value.url)).status).toBe(200);
  });

  it('ends with the restriction of its scope, and does not return with it', async () => {
    const scene = await createScene();
    const { organization, project, member } = scene;
    await grantFor(scene, 60);
    await organization.owner.patch(project.url, { access_controlled: false });
    await organization.owner.patch(project.url, { access_controlled: true });
    expect((await member.client.get(`${project.url}effective/`)).status).toBe(403);
    await grantFor(scene, 60);
    const filter = `grants/multi/?scope=${encodeURIComponent(project.url)}&role=OWNER`;
    expect((await organization.owner.delete(filter)).status).toBe(200);
    await organization.owner.patch(project.url, { access_controlled: true });
    expect((await member.client.get(`${project.url}effective/`)).status).toBe(403);
  });
});

/** Makes each change of a parameter in an organization take this many seconds. */
async function slowDown(organizationId: string, seconds: number): Promise<void> {
  await query(core, 'drop trigger if exists slow_parameters on parameter');
  if (seconds === 0) return;
  await query(
    core,
    `create or replace function slow_parameters() returns trigger language plpgsql as $$
    begin if new.organization_id = '${organizationId}' then perform pg_sleep(${seconds}); end if; return null; end $$`,
  );
  await query(
    core,
    `create trigger slow_parameters after insert on parameter for each row
    when (new.name = 'LINE_0') execute function slow_parameters()`,
  );
}

describe('a request for access', () => {
  const request = ({ project }: Scene, input: object = {}) => ({
    ...{ scope: project.url, role: 'CONTRIB', duration_minutes: 60, message: 'fix the outage', ...input },
  });

  it('is approved by a member who could grant the role, and gives the access', async () => {
    const scene = await createScene();
    const { organization, project, value, member } = scene;
    const approver = await createMember(core, organization, 'VIEWER');
    const bystander = await createMember(core, organization, 'CONTRIB');
    await createGrant(organization, approver.url, project.url, 'OWNER');
    const created = await member.client.post<AccessRequest>('access/requests/', request(scene));
    expect([created.status, created.body]).toMatchObject([201, { state: 'pending', is_break_glass: false }]);
    const { url } = created.body;
    const list = async (client: RawClient) =>
      (await client.get<Page<AccessRequest>>('access/requests/?state=pending')).body.results.map(({ id }) => id);
    expect([await list(member.client), await list(approver.client), await list(bystander.client)]).toEqual([
      ...[[created.body.id], [created.body.id], []],
    ]);
    expect((await bystander.client.post(`${url}approve/`, {})).status).toBe(404);
    expect((await member.client.post(`${url}approve/`, {})).status).toBe(403);
    const approved = await approver.client.post<AccessRequest>(`${url}approve/`, { message: 'go' });
    expect([approved.status, approved.body]).toMatchObject([200, { state: 'approved', decided_by: approver.url }]);
    const minutes = (Date.parse(approved.body.expires_at ?? '') - Date.parse(approved.body.decided_at ?? '')) / 60_000;
    expect(minutes).toBe(60);
    expect((await member.client.patch(value.url, { internal_value: 'fixed' })).status).toBe(200);
    expect(statusAndCode(await approver.client.post(`${url}decline/`, {}))).toBe('409 request_decided');

    const revoked = await member.client.post<AccessRequest>(`${url}revoke/`, {});
    expect([revoked.status, revoked.body]).toMatchObject([200, { state: 'revoked' }]);
    expect((await member.client.patch(value.url, { internal_value: 'again' })).status).toBe(403);
    const { body } =
      await organization.owner.get<Page<{ message: string; changes: { object_type: string }[] }>>(
        'changesets/?page_size=3',
      );
    expect(body.results.map(({ message, changes }) => [message, changes.map((change) => change.object_type)])).toEqual([
      [null, ['Grant', 'AccessRequest']],
      [null, ['Value']],
      ['go', ['Grant', 'AccessRequest']],
    ]);
  });

  it('is declined, withdrawn and limited, and reports bad input', async () => {
    const scene = await createScene();
    const { organization, member } = scene;
    const post = (input: object) => member.client.post<AccessRequest>('access/requests/', request(scene, input));
    const rejected = await Promise.all([
      ...[post({ role: 'OWNER' }), post({ duration_minutes: 0 }), post({ duration_minutes: 43_201 })],
      ...[post({ message: '' }), post({ reveal: true }), post({ scope: (await organization.project()).url })],
    ]);
    expect(rejected.map(statusAndCode)).toEqual([
      ...[
        '400 temporary_owner',
        '400 invalid',
        '400 too_long',
        '400 blank',
        '400 contradiction',
        '400 scope_not_restricted',
      ],
    ]);
    const declined = await post({});
    const reply = await organization.owner.post<AccessRequest>(`${declined.body.url}decline/`, { message: 'no' });
    expect(reply.body).toMatchObject({ state: 'declined', decision_message: 'no', expires_at: null });
    const withdrawn = await post({});
    expect((await organization.owner.delete(withdrawn.body.url)).status).toBe(403);
    expect((await member.client.delete(withdrawn.body.url)).status).toBe(204);
    for (let count = 0; count < 20; count += 1) expect((await post({})).status).toBe(201);
    expect(statusAndCode(await post({}))).toBe('400 too_many_access_requests');
  });

  it('approved becomes revoked if its grant is removed', async () => {
    const scene = await createScene();
    const { organization, project, member } = scene;
    const { body } = await member.client.post<AccessRequest>('access/requests/', request(scene));
    await organization.owner.post(`${body.url}approve/`, {});
    await organization.owner.delete(`grants/multi/?principal=${encodeURIComponent(member.url)}`);
    expect((await member.client.get<AccessRequest>(body.url)).body.state).toBe('revoked');
    expect((await member.client.get(`${project.url}effective/`)).status).toBe(403);
  });
});

describe('a break-glass read', () => {
  it('lets an ADMIN reveal secrets for a time, with a message in the history, and pass the ability on to no other member', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const parameter = await organization.parameter({ project, name: 'PASSWORD', secret: true });
    await organization.value({ parameter, internal_value: 'canary' });
    const admin = await createPerson(core, organization.id, 'ADMIN');
    await organization.owner.patch(`memberships/${admin.membershipId}/`, { reveals_secrets: false });
    const read = async () => (await admin.client.get<{ values: object }>(`${project.url}effective/?compact=true`)).text;
    expect(await read()).not.toContain('canary');
    const post = (input: object) =>
      admin.client.post<AccessRequest>('access/requests/', {
        reveal: true,
        message: 'outage',
        duration_minutes: 1,
        ...input,
      });
    expect([statusAndCode(await post({ message: '' })), statusAndCode(await post({ duration_minutes: 241 }))]).toEqual([
      ...['400 blank', '400 end_out_of_range'],
    ]);
    const reply = await post({});
    expect([reply.status, reply.body]).toMatchObject([201, { state: 'approved', is_break_glass: true, scope: null }]);
    await waitUntil(read, (text) => text.includes('canary'));
    const account = await admin.client.post('serviceaccounts/', {
      name: 'lasting',
      role: 'ADMIN',
      reveals_secrets: true,
    });
    expect(account.status).toBe(403);
    const masked = await admin.client.post<{ reveals_secrets: boolean }>('serviceaccounts/', {
      name: 'masked',
      role: 'VIEWER',
    });
    expect(masked.body.reveals_secrets).toBe(false);
    expect(statusAndCode(await post({}))).toBe('400 reveal_not_needed');
    const { body: changesets } =
      await organization.owner.get<Page<{ message: string; changes: object[] }>>('changesets/');
    const marked = changesets.results.find(({ message }) => message === 'outage');
    expect(marked?.changes).toMatchObject([{ object_type: 'AccessRequest', object_name: 'Break-glass read' }]);

    await query(
      core,
      `update temporary_grant set expires_at = clock_timestamp() where organization_id = '${organization.id}'`,
    );
    await waitUntil(read, (text) => !text.includes('canary'));
    await removeExpired();
    expect(await read()).not.toContain('canary');
  });

  it('of an OWNER is visible to an ADMIN, who may not end it', async () => {
    const organization = await core.organization();
    const [second, admin] = [
      await createPerson(core, organization.id, 'OWNER'),
      await createPerson(core, organization.id, 'ADMIN'),
    ];
    await organization.owner.patch(`memberships/${second.membershipId}/`, { reveals_secrets: false });
    const input = { reveal: true, message: 'outage', duration_minutes: 60 };
    const { body } = await second.client.post<AccessRequest>('access/requests/', input);
    const listed = await admin.client.get<Page<AccessRequest>>('access/requests/');
    expect(listed.body.results.map(({ id }) => id)).toEqual([body.id]);
    expect((await admin.client.get<AccessRequest>(body.url)).body).toMatchObject({ state: 'approved' });
    expect((await admin.client.post(`${body.url}revoke/`, {})).status).toBe(403);
    expect((await second.client.post<AccessRequest>(`${body.url}revoke/`, {})).body.state).toBe('revoked');
  });
});
