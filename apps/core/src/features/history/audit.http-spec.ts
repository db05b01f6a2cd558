import type { AuditSummary, AuditTrail, Page, ServiceAccountCreated, Tag, User, Value } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const audit = async (client: RawClient, filter = '') => (await client.get<Page<AuditTrail>>(`audit/${filter}`)).body;

const summarize = ({ results }: Page<AuditTrail>) =>
  results.map(({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`);

/** Creates a project, an environment, and one parameter with one value there. */
async function filledOrganization(organization: TestOrganization) {
  const project = await organization.project({ name: 'p' });
  const environment = await organization.environment({ name: 'e' });
  const parameter = await organization.parameter({ project, name: 'x' });
  const value = await organization.value({ parameter, environment, internal_value: 'v' });
  return { project, environment, parameter, value };
}

describe('the audit', () => {
  it('has one record for each changed object with its author, newest first', async () => {
    const organization = await core.organization();
    const { value } = await filledOrganization(organization);

    const records = await audit(organization.as('VIEWER'), '?object_type=Value');
    const { body: me } = await organization.owner.get<User>('users/current/');

    expect(records).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          url: `${core.origin}/api/v1/audit/${records.results[0]?.id}/`,
          id: expect.any(String),
          action: 'create',
          object_id: value.id,
          object_name: 'x',
          object_type: 'Value',
          timestamp: value.created_at,
          changeset: expect.any(Number),
          user: me,
        },
      ],
    });
    expect(summarize(await audit(organization.owner))).toEqual([
      expect.stringMatching(/^create Membership viewer-/),
      expect.stringMatching(/^create ServiceAccount viewer-/),
      'create Value x',
      'create Parameter x',
      'create Environment e',
      'create Project p',
    ]);
  });

  it('counts records as in the example of the contract: a project, an environment, a parameter with a value there, a template (H10)', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { project, environment, parameter } = await filledOrganization(organization);
    await owner.post(`${project.url}templates/`, { name: 't', body: '{{ x }}' });
    const filters = [`project_id=${project.id}`, `parameter_id=${parameter.id}`, `environment_id=${environment.id}`];

    const created = await Promise.all(
      filters.map(async (filter) => summarize(await audit(owner, `?action=create&${filter}`))),
    );
    expect(created).toEqual([
      ['create Template t', 'create Value x', 'create Parameter x', 'create Project p'],
      ['create Value x', 'create Parameter x'],
      ['create Value x', 'create Environment e'],
    ]);

    await owner.delete(project.url);
    await owner.delete(environment.url);
    const deleted = await Promise.all(
      filters.map(async (filter) => summarize(await audit(owner, `?action=delete&${filter}`))),
    );
    expect(deleted.map((records) => records.sort())).toEqual([
      ['delete Parameter x', 'delete Project p', 'delete Template t', 'delete Value x'],
      ['delete Parameter x', 'delete Value x'],
      ['delete Environment e', 'delete Value x'],
    ]);
    expect(summarize(await audit(owner, '?object_type=Parameter&action=delete'))).toEqual(['delete Parameter x']);
  });

  it('has a record for every object that is deleted together with another one', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { environment, parameter } = await filledOrganization(organization);
    await owner.post<Tag>(`${environment.url}tags/`, { name: 'v1', immutable: true });
    await organization.value({ parameter });

    await owner.delete(environment.url);
    expect(summarize(await audit(owner, `?environment_id=${environment.id}&action=delete`)).sort()).toEqual([
      'delete Environment e',
      'delete Tag v1',
      'delete Value x',
    ]);
    await owner.delete(parameter.url);
    expect(summarize(await audit(owner, `?parameter_id=${parameter.id}&action=delete`))).toEqual([
      'delete Parameter x',
      'delete Value x',
      'delete Value x',
    ]);
  });

  it('can be filtered by action, type, object, user, time, and container', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { value, parameter } = await filledOrganization(organization);
    const contributor = organization.as('CONTRIB');
    const { body: contributorUser } = await contributor.get<User>('users/current/');
    const { body: changedValue } = await contributor.patch<Value>(value.url, { internal_value: 'w' });
    const names = async (filter: string) => summarize(await audit(owner, filter));

    expect(await names('?action=update')).toEqual(['update Value x']);
    expect(await names(`?object_id=${value.id}`)).toEqual(['update Value x', 'create Value x']);
    expect(await names(`?user_id=${contributorUser.id}`)).toEqual(['update Value x']);
    expect(await names(`?earliest=${changedValue.modified_at}`)).toEqual(['update Value x']);
    expect(await names(`?earliest=${value.created_at}&latest=${value.created_at}`)).toEqual(['create Value x']);
    expect(await names(`?latest=${parameter.created_at}&object_type=Value`)).toEqual([]);
    expect(await names(`?parameter_id=${parameter.id}&action=create&ordering=timestamp`)).toEqual([
      'create Parameter x',
      'create Value x',
    ]);
    for (const none of ['?object_type=Nonsense', '?object_type=value', '?user_id=nobody', `?project_id=${value.id}`]) {
      expect(await audit(owner, none)).toMatchObject({ count: 0, results: [] });
    }
    for (const [field, text] of [
      ['action', 'undo'],
      ['project_id', 'x'],
      ['earliest', 'x'],
    ] as const) {
      expect(await owner.get(`audit/?${field}=${text}`)).toMatchObject({
        status: 400,
        body: { [field]: expect.anything() },
      });
    }
  });

  it('is returned in pages; a record can be found by its id, alone or among others', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    await filledOrganization(organization);

    const first = await audit(owner, '?page_size=3');
    expect(first).toMatchObject({ count: 4, next: `${core.origin}/api/v1/audit/?page_size=3&page=2` });
    const rest = await audit(owner, '?page_size=3&page=2');
    const all = [...first.results, ...rest.results];
    expect(new Set(all.map(({ id }) => id)).size).toBe(4);

    for (const record of all) {
      expect((await owner.get(record.url)).body).toEqual(record);
    }
    const two = [
      all[0]?.id,
      all[3]?.id,
      '00000000-0000-4000-8000-000000000000',
      'ffffffff-ffff-8fff-8fff-ffffffffffff',
    ];
    expect((await audit(owner, `?id__in=${two.join()}`)).results).toEqual([all[0], all[3]]);
  });

  it('of another organization returns 404; the audit cannot be written', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    await filledOrganization(theirs);
    const record = (await audit(theirs.owner)).results[0];

    const never = await ours.owner.get('audit/00000000-0000-4000-8000-000000000000/');
    expect(never).toMatchObject({ status: 404, body: { detail: 'No AuditTrail matches the given query.' } });
    expect(await ours.owner.get(record?.url ?? '')).toMatchObject({ status: 404, text: never.text });
    expect(await ours.owner.get('audit/nonsense/')).toMatchObject({ status: 404, text: never.text });
    expect((await audit(ours.owner)).count).toBe(0);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await ours.owner.send(method, `audit/${record?.id}/`, { body: {} })).status).toBe(405);
    }
    expect((await ours.owner.post('audit/', {})).status).toBe(405);
  });

  it('keeps the author of a record after their removal', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { body: account } = await owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci',
      role: 'ADMIN',
    });
    const robot = { authorization: `Api-Key ${account.apikey}` };
    await owner.post('projects/', { name: 'by robot' }, robot);
    const human = await createPerson(core, organization.id, 'CONTRIB');
    await human.client.post('projects/', { name: 'by human' });

    const byBoth = () =>
      Promise.all(
        [account.user.id, human.id].map(
          async (id) => (await audit(owner, `?user_id=${id}&object_type=Project`)).results[0],
        ),
      );
    const before = await byBoth();
    expect(before).toMatchObject([
      { object_name: 'by robot', user: { name: 'ci', role: 'ADMIN', type: 'service' } },
      { object_name: 'by human', user: { name: 'CONTRIB person', role: 'CONTRIB', email: human.email } },
    ]);

    expect((await owner.delete(account.url)).status).toBe(204);
    expect((await owner.delete(`memberships/${human.membershipId}/`)).status).toBe(204);

    const deletedAuthor = {
      membership_id: null,
      role: null,
      reveals_secrets: null,
      email: null,
      organization_name: null,
      picture_url: null,
    };
    expect(await byBoth()).toEqual(
      before.map((record) => record && { ...record, user: { ...record.user, ...deletedAuthor } }),
    );
  });

  it('contains no records of a project or an environment for members without access to it', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { project, environment, value } = await filledOrganization(organization);
    const open = await organization.project({ name: 'open' });
    const viewer = organization.as('VIEWER');
    const record = (await audit(viewer, `?object_id=${value.id}`)).results[0];
    await owner.patch(environment.url, { access_controlled: true });

    const seen = async () =>
      summarize(await audit(viewer, '?action=create')).filter((line) => !line.includes('viewer-'));
    expect(await seen()).toEqual(['create Project open', 'create Parameter x', 'create Project p']);
    await owner.patch(project.url, { access_controlled: true });
    expect(await seen()).toEqual(['create Project open']);
    expect((await audit(viewer, `?project_id=${project.id}`)).count).toBe(0);
    expect((await viewer.get(record?.url ?? '')).status).toBe(404);
    expect((await audit(owner, `?project_id=${project.id}&action=create`)).count).toBeGreaterThan(2);
    expect((await audit(viewer, `?project_id=${open.id}`)).count).toBe(1);
  });

  it('leaves out actions that existing clients do not know', async () => {
    const organization = await core.organization();
    await organization.webhook();

    expect((await audit(organization.owner)).count).toBe(0);
    expect((await audit(organization.owner, '?object_type=Webhook')).count).toBe(0);
  });

  it('contains no value and no secret', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ secret: true });
    await organization.value({ parameter, internal_value: 'top-secret-text' });
    const { text } = await organization.owner.get('audit/');

    expect(text).not.toContain('top-secret-text');
  });
});

describe('the summary of the audit', () => {
  const summary = async ({ owner }: TestOrganization) => (await owner.get<AuditSummary>('audit/summary/')).body;

  it('grows with each change and reports the oldest record', async () => {
    const organization = await core.organization();
    expect(await summary(organization)).toEqual({ earliest: null, max_days: 365, max_records: 1_000_000, total: 0 });

    const project = await organization.project();
    expect(await summary(organization)).toMatchObject({ earliest: project.created_at, total: 1 });
    await organization.owner.patch(project.url, { description: 'x' });
    expect(await summary(organization)).toMatchObject({ earliest: project.created_at, total: 2 });
  });

  it('ends at the retention limit, while history and feed go further back', async () => {
    const organization = await core.organization();
    const short = await startSecondCore(core, { STRATA_AUDIT_MAX_RECORDS: '2', STRATA_AUDIT_MAX_DAYS: '30' });
    try {
      const { parameter, value } = await filledOrganization(organization);
      const late = await organization.project({ name: 'late' });
      const reader = new RawClient(short.origin, organization.ownerAuthorization);
      const there = async <T>(path: string) => (await reader.get<T>(path)).body;

      expect(await there('audit/summary/')).toEqual({
        earliest: value.created_at,
        max_days: 30,
        max_records: 2,
        total: 2,
      });
      const shown = await there<Page<AuditTrail>>('audit/');
      expect(summarize(shown)).toEqual(['create Project late', 'create Value x']);
      const oldest = (await audit(organization.owner, '?object_type=Environment')).results[0];
      expect((await reader.get(`audit/${oldest?.id}/`)).status).toBe(404);

      // Simulates old records: everything before the last project gets an old timestamp.
      await query(
        core,
        `update changeset set at = at - interval '31 days' where organization_id = $1 and revision <
           (select max(revision) from changeset where organization_id = $1)`,
        [organization.id],
      );
      expect(summarize(await there<Page<AuditTrail>>('audit/'))).toEqual(['create Project late']);
      expect(await there('audit/summary/')).toMatchObject({ earliest: late.created_at, total: 1 });

      expect((await there<{ results: unknown[] }>('events/?limit=10')).results).toHaveLength(5);
      expect(await there(`${parameter.url}?revision=4`)).toMatchObject({ name: 'x' });
    } finally {
      await short.close();
    }
  });
});
