import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Organization, Page } from '@strata/contract';
import { ROLES } from '@strata/domain';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Reads the statement from docs/guides/maintain.md that removes an organization from the database. */
async function removal(id: string): Promise<string> {
  const guide = await readFile(new URL('../../../../../docs/guides/maintain.md', import.meta.url), 'utf8');
  return /```sql\n(do [\s\S]*?)```/.exec(guide)?.[1]?.replace('<id of the organization>', id) ?? '';
}

describe('a deleted organization', () => {
  it('is removed permanently by the documented statement, which removes nothing else and no active organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    for (const tenant of [organization, otherOrganization]) {
      const value = await tenant.value({ parameter: await tenant.parameter({ secret: true }) });
      await tenant.owner.patch(value.url, { internal_value: 'another' });
      await tenant.owner.patch((await tenant.project()).url, { access_controlled: true });
      await tenant.owner.delete((await tenant.environment()).url);
    }
    const countRows = async ({ id }: { id: string }) => {
      const locations = await query<{ name: string }>(
        core,
        `select table_name as name from information_schema.columns
          where table_schema = 'public' and column_name = 'organization_id' order by 1`,
      );
      const counts = locations.map(({ name }) => `(select count(*) from ${name} where organization_id = $1)`);
      const [row] = await query<{ count: number }>(core, `select (${counts.join(' + ')})::int as count`, [id]);
      return row?.count ?? 0;
    };
    await expect(query(core, await removal(organization.id))).rejects.toThrow('no deleted organization');
    await organization.owner.delete(`organizations/${organization.id}/`);
    const [before, after] = [await countRows(organization), await countRows(otherOrganization)];

    await query(core, await removal(organization.id));

    expect(before).toBeGreaterThan(20);
    expect([await countRows(organization), await countRows(otherOrganization)]).toEqual([0, after]);
  });
});

describe('organizations', () => {
  it('start with the default content, and their creator as the owner', async () => {
    const first = await core.organization();
    const maker = await createPerson(core, first.id, 'VIEWER');

    const createResponse = await maker.client.post<Organization>('organizations/', { name: ' Acme ' });

    expect(createResponse).toMatchObject({
      status: 201,
      headers: { location: createResponse.body.url },
      body: {
        name: 'Acme',
        current: false,
        role: 'OWNER',
        maintenance: false,
        subscription_features: [],
        subscription_expires_at: null,
        subscription_id: null,
        subscription_plan_id: null,
        subscription_plan_name: null,
      },
    });
    expect(createResponse.body.created_at).toBe(createResponse.body.modified_at);
  });

  it('contain environments, projects and types from their first revision on', async () => {
    const organization = await core.organization();
    const names = async (path: string) => {
      const { body, headers } = await organization.owner.get<Page<{ name: string }>>(path);
      return [headers['x-revision'], ...body.results.map(({ name }) => name)];
    };

    expect(await names('environments/')).toEqual(['1', 'default', 'development', 'production', 'staging']);
    expect(await names('projects/')).toEqual(['1', 'MyFirstProject']);
    expect(await names('types/')).toEqual(['1', 'boolean', 'integer', 'string']);
  });

  it('are listed for their members; the one of the credential is the current one', async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const member = await createPerson(core, first.id, 'ADMIN');
    await second.owner.post('memberships/', { user: member.id, role: 'VIEWER' });

    const { body } = await member.client.get<Page<Organization>>('organizations/');
    const service = await first.as('ADMIN').get<Page<Organization>>('organizations/');

    const seen = body.results.map(({ id, current, role }) => [id, current, role]);
    expect(seen).toEqual(
      expect.arrayContaining([
        [first.id, true, 'ADMIN'],
        [second.id, false, 'VIEWER'],
      ]),
    );
    expect(seen).toHaveLength(2);
    expect(service.body.results.map(({ id }) => id)).toEqual([first.id]);
  });

  it('of other people return 404', async () => {
    const [mine, otherOrganization] = [await core.organization(), await core.organization()];
    const { client } = await createPerson(core, mine.id, 'OWNER');

    for (const method of ['GET', 'PATCH', 'PUT']) {
      const send = (id: string) =>
        client.send(method, `organizations/${id}/`, { body: method === 'GET' ? undefined : { name: 'x' } });
      const [foreign, missing] = [await send(otherOrganization.id), await send(randomUUID())];
      expect([method, foreign.status]).toEqual([method, 404]);
      expect(foreign.text).toBe(missing.text);
    }
    for (const id of ['x', '%00', '1']) expect((await client.get(`organizations/${id}/`)).status).toBe(404);
    expect((await client.get<Page<Organization>>(`organizations/?id__in=${otherOrganization.id},x`)).body.count).toBe(
      0,
    );
  });

  it('return the notification settings that clients stored', async () => {
    const { id, owner } = await core.organization();
    const url = `organizations/${id}/`;
    const config = { channels: ['ops', '\u0000'], nested: { on: true, 'a b': null } };
    const change = (input: unknown) => owner.patch<Organization>(url, { notification_config: input });

    expect((await owner.get<Organization>(url)).body.notification_config).toEqual({});
    const changeResponse = await change(config);
    const same = await change(config);

    expect(changeResponse).toMatchObject({ status: 200, body: { notification_config: config } });
    expect(same.headers['x-revision']).toBe(changeResponse.headers['x-revision']);
    for (const wrong of ['x', [1], null, { text: 'x'.repeat(5_000) }]) {
      expect(await change(wrong)).toMatchObject({ status: 400, body: { notification_config: [expect.any(String)] } });
    }
    expect((await owner.get<Organization>(url)).body.notification_config).toEqual(config);
  });

  it.each(ROLES)('can only be changed by an OWNER (tested as %s)', async (role) => {
    const organization = await core.organization();
    const allowed = role === 'OWNER';

    const response = await organization.as(role).patch(`organizations/${organization.id}/`, { name: `by ${role}` });

    expect(response.status).toBe(allowed ? 200 : 403);
    const { body } = await organization.owner.get<Organization>(`organizations/${organization.id}/`);
    expect(body.name).toBe(allowed ? `by ${role}` : organization.name);
  });

  it('can only be changed with a credential of the organization', async () => {
    const [first, second] = [await core.organization(), await core.organization()];

    expect((await first.owner.get(`organizations/${second.id}/`)).status).toBe(200);
    expect((await first.owner.patch(`organizations/${second.id}/`, { name: 'x' })).status).toBe(403);
  });

  it('create a revision only when they change', async () => {
    const organization = await core.organization();
    const path = `organizations/${organization.id}/`;

    const first = await organization.owner.patch<Organization>(path, { name: 'New', project_name_pattern: 'p-.*' });
    const unchanged = await organization.owner.put<Organization>(path, { name: 'New' });

    expect(first).toMatchObject({
      status: 200,
      headers: { 'x-revision': '2' },
      body: { project_name_pattern: 'p-.*' },
    });
    expect(unchanged).toMatchObject({ status: 200, headers: { 'x-revision': '2' }, body: first.body });
    expect(
      await query(core, 'select action, object_type from change where organization_id = $1', [organization.id]),
    ).toEqual([{ action: 'update', object_type: 'Organization' }]);
  });

  it('have a pattern that restricts the names of projects', async () => {
    const organization = await core.organization();
    await organization.owner.patch(`organizations/${organization.id}/`, { project_name_pattern: 'p-.*' });

    expect((await organization.owner.post('projects/', { name: 'x' })).status).toBe(400);
    expect((await organization.owner.post('projects/', { name: 'p-x' })).status).toBe(201);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(257) }, 'name'],
    [{ project_name_pattern: '(' }, 'project_name_pattern'],
    [{ project_name_pattern: '(?=x)' }, 'project_name_pattern'],
    [{ mfa_enabled: true }, 'mfa_enabled'],
  ])('cannot be changed to %j', async (body, field) => {
    const organization = await core.organization();
    const response = await organization.owner.patch(`organizations/${organization.id}/`, body);
    expect([response.status, Object.keys(response.body as object)]).toEqual([400, [field]]);
  });

  it('cannot be created by service accounts or without a name', async () => {
    const organization = await core.organization();

    expect((await organization.as('OWNER').post('organizations/', { name: 'x' })).status).toBe(403);
    expect((await organization.owner.post('organizations/', {})).status).toBe(400);
  });

  it('reject a change with a stale precondition', async () => {
    const organization = await core.organization();
    const path = `organizations/${organization.id}/`;
    const { headers } = await organization.owner.get(path);
    const ifMatch = { 'if-match': headers.etag ?? '' };

    expect((await organization.owner.patch(path, { name: 'a' }, ifMatch)).status).toBe(200);
    expect((await organization.owner.patch(path, { name: 'b' }, ifMatch)).status).toBe(412);
  });
});

describe('an organization under maintenance', () => {
  it('can be read but not written: a write returns 503 with Retry-After and stores nothing', async () => {
    const organization = await core.organization();
    const environment = await organization.environment();
    const before = (await organization.owner.get('environments/')).headers['x-revision'];
    await query(core, 'update organization set maintenance = true where id = $1', [organization.id]);

    for (const response of [
      await organization.owner.post('projects/', { name: 'x' }),
      await organization.owner.patch(environment.url, { description: 'x' }),
      await organization.owner.delete(environment.url),
      await organization.owner.post('invitations/', { email: 'a@example.com', role: 'VIEWER' }),
    ]) {
      expect(response).toMatchObject({ status: 503, body: { detail: expect.stringContaining('maintenance') } });
      expect(response.headers['x-error-code']).toBe('maintenance');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await organization.owner.get<Organization>(`organizations/${organization.id}/`)).body.maintenance).toBe(
      true,
    );
    expect((await organization.owner.get('environments/')).headers['x-revision']).toBe(before);
    await query(core, 'update organization set maintenance = false where id = $1', [organization.id]);
    expect((await organization.owner.post('projects/', { name: 'x' })).status).toBe(201);
  });
});

describe('deleting an organization', () => {
  it('ends every credential, membership, invitation, group and webhook, and makes its content unreachable', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const [inBoth, only] = [
      await createPerson(core, organization.id, 'ADMIN'),
      await createPerson(core, organization.id, 'VIEWER'),
    ];
    await otherOrganization.owner.post('memberships/', { user: inBoth.id, role: 'VIEWER' });
    const bot = organization.as('CONTRIB');
    await organization.webhook();
    await organization.owner.post('groups/', { name: 'g', users: [only.id] });
    const project = await organization.project();
    await organization.owner.post('grants/', { principal: only.id, scope: project.url, role: 'OWNER' });
    expect((await bot.get('projects/')).status).toBe(200);

    expect(await organization.owner.delete(`organizations/${organization.id}/`)).toMatchObject({
      status: 204,
      text: '',
    });

    expect((await organization.owner.get('projects/')).status).toBe(403);
    expect((await bot.get('projects/')).status).toBe(403);
    expect((await otherOrganization.owner.get(`organizations/${organization.id}/`)).status).toBe(404);
    const counts = await query<{ left: number }>(
      core,
      `select (select count(*) from membership where organization_id = $1)
            + (select count(*) from invitation where organization_id = $1)
            + (select count(*) from member_group where organization_id = $1)
            + (select count(*) from access_grant where organization_id = $1)
            + (select count(*) from api_key where organization_id = $1)
            + (select count(*) from webhook where organization_id = $1) as left`,
      [organization.id],
    );
    expect(Number(counts[0]?.left)).toBe(0);
    const people = await query<{ id: string }>(core, 'select id from person where id = any($1)', [
      [inBoth.id, only.id],
    ]);
    expect(people.map(({ id }) => id)).toEqual([inBoth.id]);
    const [change] = await query(
      core,
      `select action, object_type, object_id from change where organization_id = $1 order by revision desc limit 1`,
      [organization.id],
    );
    expect(change).toEqual({ action: 'delete', object_type: 'Organization', object_id: organization.id });
  });

  it('requires its OWNER with a credential of the organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    for (const role of ROLES.filter((candidate) => candidate !== 'OWNER')) {
      expect((await organization.as(role).delete(`organizations/${organization.id}/`)).status).toBe(403);
    }
    expect((await organization.owner.delete(`organizations/${otherOrganization.id}/`)).status).toBe(403);
    expect((await organization.as('OWNER').delete(`organizations/${otherOrganization.id}/`)).status).toBe(404);
  });
});
