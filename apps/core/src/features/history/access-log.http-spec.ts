import type { AuditTrail, Page, Parameter, Project, ServiceAccountCreated, Template, Value } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { controlledProject, createMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let token: Parameter;
let value: Value;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  value = await organization.value({ parameter: token, internal_value: 'hunter2' });
});

type Client = TestOrganization['owner'];

const list = async (query: string, client: Client = organization.owner): Promise<readonly AuditTrail[]> =>
  (await client.get<Page<AuditTrail>>(`audit/?${query}`)).body.results;

/** Returns the latest reveals, and optionally other records. */
const reveals = (count = 1, query = '') =>
  waitUntil(
    () => list(`action=reveal&${query}`),
    (records) => records.length >= count,
  );

/** Reveals a secret and waits for its record, so that all earlier reveals are stored, too. */
async function settled(): Promise<readonly AuditTrail[]> {
  const witness = await createPerson(core, organization.id, 'VIEWER');
  await witness.client.get(value.url);
  const records = await waitUntil(
    () => list('action=reveal'),
    (records) => records.some(({ user }) => user.id === witness.id),
  );
  return records.filter(({ user }) => user.id !== witness.id);
}

describe('a person who reads a secret', () => {
  it('is recorded with the value and the cell, but without the text', async () => {
    const { headers } = await organization.owner.get(value.url);
    const [record] = await reveals();

    expect(record).toMatchObject({
      action: 'reveal',
      object_type: 'Value',
      object_id: value.id,
      object_name: 'TOKEN',
      user: { name: 'Owner', type: 'interactive' },
      changeset: Number(headers['x-revision']),
    });
    expect(JSON.stringify(record)).not.toContain('hunter2');
    expect(await list(`action=reveal&parameter_id=${token.id}&environment_id=${value.environment_id}`)).toEqual([
      record,
    ]);
    expect(await list(`action=reveal&project_id=${project.id}&user_id=${record?.user.id}`)).toEqual([record]);
    expect((await organization.owner.get<AuditTrail>(`audit/${record?.id}/`)).body).toEqual(record);
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'in the effective configuration by name',
      () => organization.owner.get(`${project.url}effective/?environment=production&name=TOKEN`),
      { object_type: 'Parameter', object_name: 'TOKEN' },
    ],
    [
      'in a parameter',
      () => organization.owner.get(`${token.url}?environment=production`),
      { object_type: 'Parameter', object_name: 'TOKEN' },
    ],
    ['in a list', () => organization.owner.get(`${project.url}parameters/`), { object_type: 'Project' }],
    [
      'in the effective configuration',
      () => organization.owner.get(`${project.url}effective/`),
      { object_type: 'Project' },
    ],
    [
      'in several effective configurations',
      () => organization.owner.get('effective/?project=shop&environment=default&environment=production'),
      { object_type: 'Project', object_name: 'shop' },
    ],
    [
      'in an export',
      () => organization.owner.get(`${project.url}parameter-export/?output=dotenv`),
      { object_type: 'Project' },
    ],
    [
      'in an explanation',
      () => organization.owner.get(`${project.url}explain/?name=TOKEN`),
      { object_type: 'Parameter' },
    ],
    [
      'in a preview',
      () => organization.owner.post(`${project.url}template-preview/`, { body: '{{ TOKEN }}' }),
      { object_type: 'Project' },
    ],
    [
      'in a template',
      async () => {
        const input = { name: 'file', body: '{{ TOKEN }}' };
        const { body } = await organization.owner.post<Template>(`${project.url}templates/`, input);
        await organization.owner.get(`${body.url}?environment=default&evaluate=true`);
      },
      { object_type: 'Template', object_name: 'file' },
    ],
    ['in a backup', () => organization.owner.post('backup/snapshot/', {}), { object_type: 'Organization' }],
    [
      'in the result of an import preview that compares a text with it',
      () =>
        organization.owner.post('import/?preview=true', {
          project: 'shop',
          environment: 'default',
          body: 'TOKEN=hunter3',
          secrets: [],
          ignore: [],
        }),
      { object_type: 'Organization' },
    ],
    [
      'in the response to a write that did not contain it',
      () => organization.owner.patch(value.url, {}),
      { object_type: 'Value', object_name: 'TOKEN' },
    ],
  ])('%s is recorded', async (_, reveal, record) => {
    await reveal();
    expect(await reveals()).toMatchObject([record]);
  });

  it('in a batch is recorded for each value', async () => {
    const otherParameter = await organization.parameter({ project, name: 'KEY', secret: true });
    const second = await organization.value({ parameter: otherParameter });
    const paths = [value, second].map(({ url }) => ({ path: new URL(url).pathname.replace('/api/v1/', '') }));
    await organization.owner.post('batch/', { requests: paths });

    expect((await reveals(2)).map(({ object_name: name }) => name).sort()).toEqual(['KEY', 'TOKEN']);
  });
});

describe('the access log records nothing', () => {
  it('for masked texts, plain texts, 304 responses, errors, and texts that the caller has just written', async () => {
    const { owner } = organization;
    const port = await organization.parameter({ project, name: 'PORT' });
    const plain = await organization.value({ parameter: port });
    const viewer = organization.as('VIEWER');
    const { headers } = await viewer.get(`${value.url}?mask_secrets=true`);
    await owner.get(plain.url);
    await owner.get(`${project.url}parameters/?mask_secrets=true`);
    await owner.get(`${project.url}effective/?mask_secrets=true`);
    await viewer.get(`${value.url}?mask_secrets=true`, { 'if-none-match': headers.etag ?? '' });
    await owner.get(`${value.url}?environment=nowhere`);
    await owner.patch(value.url, { internal_value: 'hunter3' });
    await owner.patch(value.url, { internal_value: 'hunter4' }, { 'if-match': `"${value.ledger_id}"` });
    await owner.get(`${project.url}matrix/?environments=default`);

    expect(await settled()).toEqual([]);
  });

  it('for a response without changes', async () => {
    const { headers } = await organization.owner.get(`${project.url}effective/`);
    const [first] = await reveals();
    const repeatedResponse = await organization.owner.get(`${project.url}effective/`, {
      'if-none-match': headers.etag ?? '',
    });

    expect(repeatedResponse.status).toBe(304);
    expect(await settled()).toEqual([first]);
  });
});

describe('a program that reads secrets', () => {
  it('is recorded once per minute, even if it reads more often', async () => {
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'VIEWER',
    });
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    for (let n = 0; n < 5; n += 1) await client.get(`${project.url}effective/`);
    await client.get(value.url);
    const records = await settled();

    expect(records[0]).toMatchObject({
      object_type: 'Project',
      object_name: 'shop',
      user: { name: 'ci', type: 'service' },
    });
    // A new minute may have started in between.
    expect(new Set(records.map(({ timestamp }) => timestamp.slice(0, 16))).size).toBe(records.length);
    expect(records.length).toBeLessThanOrEqual(2);
  });
});

describe('the audit with the access log', () => {
  it('contains the access log only on request, with all records in order', async () => {
    const before = (await organization.owner.get('audit/')).text;
    const summary = (await organization.owner.get('audit/summary/')).text;
    await organization.owner.get(value.url);
    await reveals();
    expect((await organization.owner.get('audit/')).text).toBe(before);
    expect((await organization.owner.get('audit/summary/')).text).toBe(summary);
    await organization.owner.patch(value.url, { internal_value: 'hunter3' });

    const records = await list('access_log=true');
    expect(records.slice(0, 3).map(({ action, object_type: type }) => `${action} ${type}`)).toEqual([
      'update Value',
      'reveal Value',
      'create Value',
    ]);
    const [, second] = records;
    const page = await organization.owner.get<Page<AuditTrail>>('audit/?access_log=true&page_size=1&page=2');
    expect(page.body).toMatchObject({ count: records.length, results: [second] });
    expect((await list(`access_log=true&earliest=${second?.timestamp}`)).length).toBe(2);
    expect((await list(`action=reveal&latest=${records[2]?.timestamp}`)).length).toBe(0);
  });

  it('continues after a cursor in both', async () => {
    await organization.owner.get(value.url);
    await reveals();
    const all = await list('access_log=true');
    const walked: AuditTrail[] = [];
    for (let after = 'start'; ; ) {
      const { body } = await organization.owner.get<Page<AuditTrail>>(
        `audit/?access_log=true&page_size=2&after=${after}`,
      );
      walked.push(...body.results);
      const next = body.next === null ? null : new URL(body.next).searchParams.get('after');
      if (next === null) break;
      after = next;
    }
    expect(walked).toEqual(all);
  });

  it('does not reveal who read a forbidden project', async () => {
    const closed = await controlledProject(organization);
    const secret = await organization.parameter({ project: closed, secret: true });
    await organization.owner.get((await organization.value({ parameter: secret })).url);
    await reveals();
    const { client } = await createMember(core, organization);

    expect(await list('action=reveal', client)).toEqual([]);
    expect(await list('action=reveal', (await core.organization()).owner)).toEqual([]);
  });

  it('contains reads that happened right before a process ends', async () => {
    const second = await startSecondCore(core);
    const client = new RawClient(second.origin, organization.ownerAuthorization);
    expect((await client.get(`/api/v1/${new URL(value.url).pathname.replace('/api/v1/', '')}`)).status).toBe(200);
    await second.close();

    expect(await list('action=reveal')).toMatchObject([{ object_id: value.id }]);
  });
});

describe('people and their own account', () => {
  it('are recorded in all of their organizations when they change their password or sign out everywhere', async () => {
    const writer = await createPerson(core, organization.id, 'CONTRIB');
    await writer.client.delete('users/current/tokens/');
    const records = await waitUntil(
      () => list(`access_log=true&user_id=${writer.id}`),
      (records) => records.length > 0,
    );

    expect(records).toMatchObject([
      {
        action: 'sign_out_everywhere',
        object_type: 'Membership',
        object_id: writer.membershipId,
        object_name: 'CONTRIB person',
        user: { id: writer.id, type: 'interactive' },
      },
    ]);
    expect(await list(`user_id=${writer.id}`)).toEqual([]);
  });

  it('are recorded when they change the password, but not when the change is rejected', async () => {
    const writer = await createPerson(core, organization.id, 'CONTRIB');
    const change = (before: string) =>
      writer.client.post('users/current/password/', {
        old_password: before,
        new_password: 'correct horse battery staple',
      });
    expect((await change('wrong')).status).toBe(400);
    expect(await list('action=change_password')).toEqual([]);
    expect((await change(writer.password)).status).toBe(204);

    expect(await list('action=change_password')).toMatchObject([
      { object_id: writer.membershipId, user: { id: writer.id } },
    ]);
  });
});
