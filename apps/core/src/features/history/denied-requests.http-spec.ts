import { randomUUID } from 'node:crypto';
import type { AuditTrail, Page, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { controlledProject, createMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: CoreInProcess;
let organization: TestOrganization;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());
beforeEach(async () => {
  organization = await core.organization();
});

const list = async (filter: string, client = organization.owner): Promise<readonly AuditTrail[]> =>
  (await client.get<Page<AuditTrail>>(`audit/?${filter}`)).body.results;

const listDeniedRequests = (count = 1, target = organization) =>
  waitUntil(
    () => list('action=request_refused', target.owner),
    (records) => records.length >= count,
  );

const listDeniedSignIns = (count = 1, target = organization) =>
  waitUntil(
    () => list('action=sign_in_refused', target.owner),
    (records) => records.length >= count,
  );

/** Sends a denied request in a new organization. When its record is stored, all earlier ones were written or dropped. */
async function settled(): Promise<void> {
  const witness = await core.organization();
  await witness.as('VIEWER').post('projects/', { name: 'x' });
  await listDeniedRequests(1, witness);
}

describe('a denied request', () => {
  it('is recorded with the caller, the rule, the required ability and the operation', async () => {
    const viewer = organization.as('VIEWER');
    await viewer.get('projects/');
    const before = (await organization.owner.get('audit/')).text;
    const { headers } = await viewer.post('webhooks/', { name: 'canary-of-the-caller' });
    const [record] = await listDeniedRequests();

    expect(record).toMatchObject({
      action: 'request_refused',
      object_type: 'Organization',
      object_id: organization.id,
      user: { type: 'service', role: 'VIEWER' },
      refusal: { rule: 'forbidden', ability: 'manage_webhooks', operation: 'POST /api/v1/webhooks/', requests: 1 },
    });
    expect(headers['x-error-code']).toBe('forbidden');
    expect(JSON.stringify(record)).not.toContain('canary');
    expect(await list('access_log=true&object_type=Organization')).toContainEqual(record);
    expect((await organization.owner.get<AuditTrail>(`audit/${record?.id}/`)).body).toEqual(record);
    expect((await organization.owner.get('audit/')).text).toBe(before);
  });

  it('is recorded with the error code of a rule that only the operation checks', async () => {
    const input = { name: 'bot', role: 'OWNER' };
    expect((await organization.as('CONTRIB').post('serviceaccounts/', input)).status).toBe(403);

    expect((await listDeniedRequests())[0]?.refusal).toMatchObject({
      rule: 'role_above_own',
      ability: 'create_service_account',
    });
  });

  it('names the object of the path, also in a forbidden project, but only to readers with access', async () => {
    const closed = await controlledProject(organization);
    const parameter = await organization.parameter({ project: closed, name: 'TOKEN' });
    const { client } = await createMember(core, organization);
    expect((await client.get(parameter.url)).status).toBe(403);
    const [record] = await listDeniedRequests();

    expect(record).toMatchObject({
      object_type: 'Parameter',
      object_id: parameter.id,
      object_name: 'TOKEN',
      refusal: { operation: 'GET /api/v1/projects/{project_pk}/parameters/{id}/' },
    });
    expect(await list(`action=request_refused&project_id=${closed.id}`)).toEqual([record]);
    expect(await list('action=request_refused', client)).toEqual([]);
  });

  it('names nothing of another organization', async () => {
    const foreign = await (await core.organization()).project({ name: 'foreign' });
    await organization.as('VIEWER').patch(foreign.url, { name: 'x' });

    expect(await listDeniedRequests()).toMatchObject([{ object_type: 'Organization', object_id: organization.id }]);
  });

  it('is recorded whatever texts it contains', async () => {
    const viewer = organization.as('VIEWER');
    await viewer.post('projects/%00/parameters/?name=%00', { name: 'x' });

    expect(await listDeniedRequests()).toMatchObject([{ refusal: { rule: 'forbidden' } }]);
  });

  it('of a key that was revoked is recorded for its account; a guess of a key is not', async () => {
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'VIEWER',
    });
    await organization.owner.post(`serviceaccounts/${body.id}/rekey/`, {});
    const guess = `${body.apikey.slice(0, -4)}${body.apikey.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    expect((await new RawClient(core.origin, `Api-Key ${guess}`).get('projects/')).status).toBe(403);
    await settled();
    expect(await list('action=request_refused')).toEqual([]);
    expect((await new RawClient(core.origin, `Api-Key ${body.apikey}`).get('projects/')).status).toBe(403);

    expect(await listDeniedRequests()).toMatchObject([
      { user: { id: body.id }, refusal: { rule: 'bad_credential', operation: 'GET /api/v1/projects/' } },
    ]);
  });

  it('is recorded at most once per minute for a caller and a rule, by all processes together', async () => {
    const second = await startSecondCore(core);
    try {
      const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
        name: 'ci',
        role: 'VIEWER',
      });
      for (const { origin } of [core, second, core, second]) {
        const client = new RawClient(origin, `Api-Key ${body.apikey}`);
        for (let n = 0; n < 5; n += 1) await client.post('projects/', { name: 'x' });
        await client.post('webhooks/', {});
      }
      await listDeniedRequests(2);
      await settled();
    } finally {
      await second.close();
    }
    const records = await list('action=request_refused');
    const perMinute = records.map(({ timestamp, refusal }) => `${timestamp.slice(0, 16)} ${refusal?.ability}`);

    expect(new Set(perMinute).size).toBe(records.length);
    // A new minute may have started in between.
    expect(records.length).toBeLessThanOrEqual(4);
  });

  it('is not stored beyond 60 records of an organization per minute; denied sign-ins have a limit of their own', async () => {
    const insert = (action: string) =>
      query(
        core,
        `insert into access_log (organization_id, revision, at, action, object_type, object_id, object_name, actor_id,
           actor_name, actor_type, surface, request_id)
         select $1, 0, now() + interval '1 hour', $2, 'Organization', $1::uuid::text, 'x', number::text, 'x', 'service', 'rest', ''
           from generate_series(1, 70) number returning 1`,
        [organization.id, action],
      );

    expect(await insert('sign_in_refused')).toHaveLength(60);
    expect(await insert('request_refused')).toHaveLength(60);
    expect(await insert('request_refused')).toHaveLength(0);
    expect(await insert('reveal')).toHaveLength(70);
  });
});

describe('a denied sign-in', () => {
  const join = ({ id }: TestOrganization, personId: string) =>
    query(core, `insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'VIEWER')`, [
      id,
      randomUUID(),
      personId,
    ]);
  const signIn = (body: object) => new RawClient(core.origin, null).post('auth/token/', body);

  it('is recorded in each organization of the person, without the password', async () => {
    const ada = await createPerson(core, organization.id, 'CONTRIB');
    const second = await core.organization();
    await join(second, ada.id);
    expect((await signIn({ email: ` ${ada.email.toUpperCase()}`, password: 'canary-password' })).status).toBe(403);

    for (const signedIn of [organization, second]) {
      const records = await listDeniedSignIns(1, signedIn);
      expect(records).toMatchObject([
        {
          action: 'sign_in_refused',
          object_type: 'Membership',
          object_name: 'CONTRIB person',
          user: { id: ada.id, type: 'interactive' },
          refusal: { rule: 'wrong_password', ability: null, operation: null, requests: 1 },
        },
      ]);
      expect(JSON.stringify(records)).not.toContain('canary');
    }
    expect(await list('action=sign_in_refused', (await core.organization()).owner)).toEqual([]);
  });

  it('for an unknown address is recorded nowhere', async () => {
    const count = async () => (await query(core, `select from access_log where action = 'sign_in_refused'`)).length;
    await settled();
    const before = await count();
    for (let n = 0; n < 12; n += 1) await signIn({ email: 'nobody@example.com', password: 'x' });
    await settled();

    expect(await count()).toBe(before);
  });

  it('after too many attempts is recorded with that rule, even if the password is right', async () => {
    const target = await createPerson(core, organization.id, 'CONTRIB');
    for (let n = 0; n < 10; n += 1) await signIn({ email: target.email, password: 'x' });
    expect((await signIn({ email: target.email, password: target.password })).status).toBe(429);
    const rules = (await listDeniedSignIns(2)).map(({ refusal }) => refusal?.rule);

    expect(new Set(rules)).toEqual(new Set(['wrong_password', 'too_many_attempts']));
  });

  it('of a former member to the organization that they left is recorded there', async () => {
    const target = await createPerson(core, organization.id, 'CONTRIB');
    const second = await core.organization();
    await join(second, target.id);
    expect((await organization.owner.delete(`memberships/${target.membershipId}/`)).status).toBe(204);
    const credentials = { email: target.email, password: target.password };
    expect((await signIn({ ...credentials, organization: organization.id })).status).toBe(400);
    expect((await signIn({ ...credentials, organization: (await core.organization()).id })).status).toBe(400);

    expect(await listDeniedSignIns()).toMatchObject([
      { object_type: 'Organization', user: { id: target.id }, refusal: { rule: 'membership_ended', requests: 1 } },
    ]);
    expect(await list('action=sign_in_refused', second.owner)).toEqual([]);
  });
});
