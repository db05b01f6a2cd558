import type { Grant, Group, Page, Plan, UnusedAccess } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Makes all grants and memberships of an organization older than the period. */
async function age({ id }: TestOrganization): Promise<void> {
  for (const table of ['access_grant', 'membership']) {
    await query(core, `update ${table} set modified_at = now() - interval '100 days' where organization_id = $1`, [id]);
  }
}

async function readUnused(organization: TestOrganization, days = 90): Promise<readonly UnusedAccess[]> {
  const { body } = await organization.owner.get<Page<UnusedAccess>>(`access/unused/?days=${days}&page_size=100`);
  return body.results;
}

const readGrants = async (organization: TestOrganization) =>
  (await readUnused(organization)).filter(({ right }) => right.startsWith('grant'));

async function createScene() {
  const organization = await core.organization();
  const project = await controlledProject(organization);
  const parameter = await organization.parameter({ project, name: 'PORT' });
  const value = await organization.value({ parameter, internal_value: '1' });
  const member = async (role: 'VIEWER' | 'CONTRIB' | 'ADMIN'): Promise<TestMember & { readonly grant: Grant }> => {
    const created = await createMember(core, organization, 'VIEWER');
    return { ...created, grant: (await createGrant(organization, created.url, project.url, role)).body };
  };
  return { organization, project, value, member };
}

describe('access/unused/', () => {
  it('proposes to remove unread grants, and to lower those without writes, and nothing for used and new ones', async () => {
    const { organization, project, value, member } = await createScene();
    const [idle, reader, writer, readingWriter] = [
      ...[await member('VIEWER'), await member('VIEWER'), await member('CONTRIB'), await member('CONTRIB')],
    ];
    if (!idle || !reader || !writer || !readingWriter) throw new Error('The members are missing.');
    const person = await createPerson(core, organization.id, 'VIEWER');
    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'people', users: [person.id] });
    const { body: groupGrant } = await createGrant(organization, group.url, project.url, 'ADMIN');
    await age(organization);
    await member('CONTRIB');
    for (const { client } of [reader, readingWriter]) await client.get(`${project.url}effective/`);
    expect((await writer.client.patch(value.url, { internal_value: '2' })).status).toBe(200);
    const proposals = await waitUntil(
      () => readGrants(organization),
      (rows) => rows.length === 3,
    );
    const summary = proposals.map(({ right, object_id: id, proposed_role: proposed }) => [right, id, proposed]);
    expect(new Set(summary.map((row) => row.join(' ')))).toEqual(
      new Set(
        [
          ['grant', idle.grant.id, null],
          ['grant_write', readingWriter.grant.id, 'VIEWER'],
          ['grant_write', groupGrant.id, 'VIEWER'],
        ].map((row) => row.join(' ')),
      ),
    );
  });

  it('returns operations that can be planned and applied together', async () => {
    const { organization, member } = await createScene();
    const idle = await member('CONTRIB');
    await age(organization);
    const operations = (await readUnused(organization)).map(({ operation }) => operation);
    const { body: plan } = await organization.owner.post<Plan>('changesets/plan/', { operations });
    expect(plan.access_cells.filter(({ person, gained }) => person === 'member' && !gained).length).toBeGreaterThan(0);
    const applied = await organization.owner.post('changesets/', { operations, plan_hash: plan.plan_hash });
    expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);
    expect((await organization.owner.get(idle.grant.url)).status).toBe(404);
    await age(organization);
    expect(await readUnused(organization)).toEqual([]);
  });

  it('proposes to lower members who wrote nothing, and to take the ability to reveal secrets that they did not use', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const secret = await organization.parameter({ project, name: 'PASSWORD', secret: true });
    await organization.value({ parameter: secret, internal_value: 'canary' });
    const idle = await createMember(core, organization, 'CONTRIB');
    const active = await createMember(core, organization, 'CONTRIB');
    await age(organization);
    expect((await active.client.post(`${project.url}parameters/`, { name: 'PORT' })).status).toBe(201);
    await active.client.get(`${project.url}effective/`);
    const rights = async ({ url }: TestMember) => {
      const { body } = await organization.owner.get<Page<{ id: string }>>(
        `memberships/?user=${encodeURIComponent(url)}`,
      );
      return (await readUnused(organization))
        .filter(({ object_id: id }) => id === body.results[0]?.id)
        .map(({ right, operation }) => [right, operation.body]);
    };
    expect(await rights(idle)).toEqual([
      ['reveal', { reveals_secrets: false }],
      ['role_write', { role: 'VIEWER' }],
    ]);
    expect(
      await waitUntil(
        () => rights(active),
        (rows) => rows.length === 0,
      ),
    ).toEqual([]);
    expect(JSON.stringify(await readUnused(organization))).not.toContain('canary');
  });

  it('requires ADMIN, and a number of days for which reads are recorded', async () => {
    const organization = await core.organization();
    expect((await organization.as('CONTRIB').get('access/unused/')).status).toBe(403);
    expect((await organization.owner.get('access/unused/?days=91')).status).toBe(400);
    expect((await organization.owner.get('access/unused/?days=0')).status).toBe(400);
  });
});
