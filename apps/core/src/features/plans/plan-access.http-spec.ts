import type { Group, Plan, Project } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let member: TestMember;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await controlledProject(organization);
  member = await createMember(core, organization, 'CONTRIB');
});

async function plan(operation: object, client = organization.owner): Promise<Plan> {
  const reply = await client.post<Plan>('changesets/plan/', { operations: [operation] });
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.body;
}

/** Returns the cells that the member would gain or lose. */
const memberCells = async (operation: object) =>
  (await plan(operation)).access_cells.filter(({ person }) => person === 'member');

/** Returns the number of cells of one project. */
async function countCells(): Promise<number> {
  const [row] = await query<{ count: number }>(
    core,
    'select count(*)::int as count from environment where organization_id = $1',
    [organization.id],
  );
  return row?.count ?? 0;
}

const entry = (action: string, gained: boolean, cells: number) => ({
  ...{ person: 'member', action, gained, cells },
  ...{ example_project: project.name, example_environment: expect.any(String) },
});

describe('a plan of a change of access', () => {
  it('names the members who gain cells by a grant, the number of cells, and an example that can then be read', async () => {
    const cells = await countCells();
    const grant = { principal: member.url, scope: project.url, role: 'VIEWER' };
    const planned = await plan({ operation: 'grants_create', body: grant });
    expect(planned.access_cells).toEqual([entry('read', true, cells), entry('reveal', true, cells)]);
    expect(planned.totals.access_cells).toBe(2);
    const [example] = planned.access_cells;
    const url = `${project.url}effective/?environment=${example?.example_environment}`;
    expect((await member.client.get(url)).status).toBe(403);
    const applied = await organization.owner.post('changesets/', {
      ...{ operations: [{ operation: 'grants_create', body: grant }], plan_hash: planned.plan_hash },
    });
    expect(applied.status).toBe(201);
    expect((await member.client.get(url)).status).toBe(200);
  });

  it('names those who lose cells: by a removed grant, a group, a role, and a new restriction', async () => {
    const cells = await countCells();
    const { body: grant } = await createGrant(organization, member.url, project.url, 'CONTRIB');
    const lost = ['read', 'write', 'reveal'].map((action) => entry(action, false, cells));
    expect(await memberCells({ operation: 'grants_destroy', path: { id: grant.id } })).toEqual(lost);
    expect(
      await memberCells({ operation: 'grants_partial_update', path: { id: grant.id }, body: { role: 'VIEWER' } }),
    ).toEqual([entry('write', false, cells)]);
    await organization.owner.delete(grant.url);

    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'team', users: [member.url] });
    await createGrant(organization, group.url, project.url, 'CONTRIB');
    const leave = { operation: 'groups_remove_create', path: { id: group.id }, query: { user: member.url } };
    expect(await memberCells(leave)).toEqual(lost);

    const open = await organization.project({ name: 'open' });
    const restriction = {
      operation: 'projects_partial_update',
      path: { id: open.id },
      body: { access_controlled: true },
    };
    expect(await memberCells(restriction)).toEqual(
      ['read', 'write', 'reveal'].map((action) => ({ ...entry(action, false, cells), example_project: 'open' })),
    );
    const [membership] = await query<{ id: string }>(
      core,
      `select membership.id from membership join person on person.id = membership.person_id
        where membership.organization_id = $1 and person.name = 'member'`,
      [organization.id],
    );
    const role = { operation: 'memberships_partial_update', path: { id: membership?.id }, body: { role: 'VIEWER' } };
    // The organization has another open project.
    expect(await memberCells(role)).toEqual([
      { ...entry('write', false, 2 * cells), example_project: expect.any(String) },
    ]);
  });

  it('leaves out scopes that the caller cannot read, and is part of the text', async () => {
    const secondProject = await controlledProject(organization);
    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'team', users: [member.url] });
    await createGrant(organization, group.url, secondProject.url, 'CONTRIB');
    const owner = await createMember(core, organization, 'CONTRIB');
    await createGrant(organization, owner.url, project.url, 'OWNER');
    const grant = { operation: 'grants_create', body: { principal: member.url, scope: project.url, role: 'VIEWER' } };
    const planned = await plan(grant, owner.client);
    expect(JSON.stringify(planned)).not.toContain(secondProject.name);
    const text = await owner.client.post<string>('changesets/plan/', { operations: [grant] }, { accept: 'text/plain' });
    expect(text.text).toContain(`member gains read on ${project.name} / `);
  });
});
