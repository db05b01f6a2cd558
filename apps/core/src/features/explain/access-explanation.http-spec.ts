import type {
  AccessExplanation,
  AccessExplanationPage,
  Environment,
  Group,
  Project,
  ServiceAccountCreated,
  Value,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createGrant } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface TestAccount {
  readonly id: string;
  readonly url: string;
  readonly membershipId: string;
  readonly client: RawClient;
}

async function createAccount(organization: TestOrganization, name: string, input: object): Promise<TestAccount> {
  const reply = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name, ...input });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  const { id, user, apikey } = reply.body;
  const client = new RawClient(core.origin, `Api-Key ${apikey}`);
  return { id, url: user.url, membershipId: user.membership_id ?? '', client };
}

/** A value of a project in an environment. */
interface TestCell {
  readonly project: Project;
  readonly environment: Environment;
  readonly value: Value;
}

async function createCells(
  organization: TestOrganization,
  projects: readonly Project[],
  environments: readonly Environment[],
): Promise<readonly TestCell[]> {
  const cells: TestCell[] = [];
  for (const project of projects) {
    const parameter = await organization.parameter({ project });
    for (const environment of environments) {
      cells.push({ project, environment, value: await organization.value({ parameter, environment }) });
    }
  }
  return cells;
}

async function explain(client: RawClient, query: Readonly<Record<string, string>>) {
  const reply = await client.get<AccessExplanationPage>(`access/explain/?${new URLSearchParams(query)}`);
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return { ...reply.body, revision: Number(reply.headers['x-revision']) };
}

async function explainOne(
  { owner }: TestOrganization,
  account: Pick<TestAccount, 'id'>,
  { project, environment }: Pick<TestCell, 'project' | 'environment'>,
  pointInTime: Readonly<Record<string, string>> = {},
): Promise<AccessExplanation> {
  const query = { project: project.id, environment: environment.name, who: account.id, ...pointInTime };
  const [explanation, second] = (await explain(owner, query)).results;
  if (!explanation || second) throw new Error('Expected one result.');
  return explanation;
}

/** Returns whether an account can read and change a value, by reading and changing it. */
async function tryAccess({ client }: TestAccount, { project, environment, value }: TestCell) {
  const read = await client.get(`${project.url}effective/?environment=${environment.id}`);
  const write = await client.patch(value.url, { internal_value: `text ${Math.random()}` });
  expect([200, 403]).toContain(read.status);
  expect([200, 403]).toContain(write.status);
  return { read: read.status === 200, write: write.status === 200 };
}

const pickAccess = ({ read, write }: AccessExplanation) => ({ read, write });

const findWinner = ({ candidates }: AccessExplanation['project']) => candidates.find(({ wins }) => wins) ?? null;

async function restrict(organization: TestOrganization, url: string): Promise<void> {
  expect((await organization.owner.patch(url, { access_controlled: true })).status).toBe(200);
}

async function createGroup(organization: TestOrganization, name: string, ...members: readonly TestAccount[]) {
  const reply = await organization.owner.post<Group>('groups/', { name, users: members.map(({ url }) => url) });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('access/explain/', () => {
  it('returns what members can do, as their requests show, for roles, grants, groups and limits', async () => {
    const organization = await core.organization();
    const open = await organization.project();
    const restricted = await organization.project();
    const childProject = await organization.project({ depends_on: restricted.url });
    const [staging, production] = await Promise.all(
      ['staging', 'production'].map((name) => organization.environmentNamed(name)),
    );
    if (!staging || !production) throw new Error('The environments are missing.');
    const cells = await createCells(organization, [open, restricted, childProject], [staging, production]);
    await restrict(organization, restricted.url);
    await restrict(organization, production.url);
    const accounts: TestAccount[] = [];
    const add = async (role: Role, onProject: Role | null, onEnvironment: Role | null, input: object = {}) => {
      const account = await createAccount(organization, `${role} ${onProject} ${onEnvironment}`, { role, ...input });
      if (onProject) await createGrant(organization, account.url, restricted.url, onProject);
      if (onEnvironment) await createGrant(organization, account.url, production.url, onEnvironment);
      accounts.push(account);
      return account;
    };
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      await add(role, null, null);
      await add(role, 'VIEWER', 'CONTRIB');
      await add(role, 'CONTRIB', 'VIEWER');
      await add(role, 'OWNER', null);
    }
    await add('ADMIN', null, null);
    await add('ADMIN', 'VIEWER', 'VIEWER');
    await add('VIEWER', 'CONTRIB', null, { only_projects: [childProject.url] });
    await add('VIEWER', 'CONTRIB', null, { only_projects: [open.url] });
    const grouped = await add('VIEWER', 'VIEWER', null);
    const group = await createGroup(organization, 'operations', grouped);
    await createGrant(organization, group.url, restricted.url, 'ADMIN');
    await createGrant(organization, group.url, production.url, 'CONTRIB');

    for (const cell of cells) {
      const { project, environment } = cell;
      const page = await explain(organization.owner, {
        ...{ project: project.name, environment: environment.id, page_size: '100' },
      });
      for (const account of accounts) {
        const actual = await tryAccess(account, cell);
        const explanation = await explainOne(organization, account, cell);
        const described = [explanation.user_name, project.name, environment.name];
        expect([...described, pickAccess(explanation)]).toEqual([...described, actual]);
        const listed = page.results.find(({ user_id: id }) => id === account.id);
        expect([...described, listed]).toEqual([...described, actual.read || actual.write ? explanation : undefined]);
      }
    }
    const [project, environment] = [childProject, production];
    const explanation = await explainOne(organization, grouped, { project, environment });
    expect(explanation).toMatchObject({
      project: { controlled_by_id: restricted.id, controlled_by_name: restricted.name },
      environment: { controlled_by_id: production.id, controlled_by_name: 'production' },
    });
    expect(explanation.project.candidates).toMatchObject([
      { kind: 'group_grant', role: 'ADMIN', group_id: group.id, group_name: 'operations', wins: true, hidden_by: null },
      { kind: 'grant', role: 'VIEWER', group_id: null, group_name: null, wins: false, hidden_by: 'higher_grant' },
      { kind: 'organization_role', role: 'VIEWER', grant_id: null, wins: false, hidden_by: 'access_control' },
    ]);
  });

  it('returns the access of a past instant, as requests showed it then', async () => {
    const organization = await core.organization();
    const environment = await organization.environmentNamed('staging');
    const project = await organization.project();
    const [cell] = await createCells(organization, [project], [environment]);
    if (!cell) throw new Error('The cell is missing.');
    await restrict(organization, project.url);
    const raised = await createAccount(organization, 'raised', { role: 'VIEWER' });
    const granted = await createAccount(organization, 'granted', { role: 'VIEWER' });
    const grouped = await createAccount(organization, 'grouped', { role: 'CONTRIB' });
    const removed = await createAccount(organization, 'removed', { role: 'VIEWER' });
    const limited = await createAccount(organization, 'limited', { role: 'VIEWER', only_projects: [project.url] });
    const accounts = [raised, granted, grouped, removed, limited];
    const grants = await Promise.all(
      [granted, removed, limited].map(({ url }) => createGrant(organization, url, project.url, 'CONTRIB')),
    );
    const group = await createGroup(organization, 'team', grouped);
    await createGrant(organization, group.url, project.url, 'VIEWER');
    const before = await Promise.all(accounts.map((account) => tryAccess(account, cell)));
    const { revision } = await explain(organization.owner, { project: project.id });
    const otherProject = await organization.project();

    await organization.owner.patch(`memberships/${raised.membershipId}/`, { role: 'ADMIN' });
    await organization.owner.delete(grants[0]?.body.url ?? '');
    await organization.owner.post(`${group.url}remove/?user=${encodeURIComponent(grouped.url)}`);
    await organization.owner.patch(`serviceaccounts/${limited.id}/`, { only_projects: [otherProject.url] });
    await organization.owner.delete(`serviceaccounts/${removed.id}/`);

    expect(before.map(({ read, write }) => [read, write])).toEqual([
      ...[
        [false, false],
        [true, true],
        [true, false],
        [true, true],
        [true, true],
      ],
    ]);
    for (const [at, account] of accounts.entries()) {
      const past = await explainOne(organization, account, cell, { revision: String(revision) });
      expect([past.user_name, pickAccess(past)]).toEqual([past.user_name, before[at]]);
      const currentExplanation = await explainOne(organization, account, cell);
      const actual = account === removed ? { read: false, write: false } : await tryAccess(account, cell);
      expect([currentExplanation.user_name, pickAccess(currentExplanation)]).toEqual([
        currentExplanation.user_name,
        actual,
      ]);
    }
    expect(await explainOne(organization, raised, cell)).toMatchObject({ role: 'ADMIN', read: true, write: true });
    expect(await explainOne(organization, removed, cell)).toMatchObject({
      ...{ user_name: 'removed', membership_id: null, role: null, project: { candidates: [] } },
    });
    const isListed = async (pointInTime: Readonly<Record<string, string>>) =>
      (await explain(organization.owner, { project: project.id, environment: 'staging', ...pointInTime })).results.some(
        ({ user_id: id }) => id === removed.id,
      );
    expect([await isListed({ revision: String(revision) }), await isListed({})]).toEqual([true, false]);
  });

  it('names the grant that decided before it was changed, at the time of a tag', async () => {
    const organization = await core.organization();
    const environment = await organization.environmentNamed('staging');
    const project = await organization.project();
    await restrict(organization, project.url);
    const account = await createAccount(organization, 'changed', { role: 'VIEWER' });
    const { body: grant } = await createGrant(organization, account.url, project.url, 'CONTRIB');
    await organization.owner.post(`${environment.url}tags/`, { name: 'release' });
    await organization.owner.patch(grant.url, { role: 'VIEWER' });

    const cell = { project, environment };
    const then = await explainOne(organization, account, cell, { tag: 'release' });
    const now = await explainOne(organization, account, cell);
    expect([findWinner(then.project), findWinner(now.project)]).toMatchObject([
      { kind: 'grant', grant_id: grant.id, role: 'CONTRIB' },
      { kind: 'grant', grant_id: grant.id, role: 'VIEWER' },
    ]);
  });

  it('lists everyone with access by name in pages, and finds a person by e-mail address', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    for (const name of ['b', 'a', 'c']) await createAccount(organization, name, {});
    const person = await createPerson(core, organization.id, 'VIEWER');
    const names: string[] = [];
    let query: Record<string, string> = { project: project.name, page_size: '2', after: 'start' };
    for (;;) {
      const { results, next, count } = await explain(organization.owner, query);
      names.push(...results.map(({ user_name: name }) => name));
      if (next === null) {
        expect(names).toHaveLength(count);
        break;
      }
      query = Object.fromEntries(new URL(next).searchParams);
    }
    expect(names.filter((name) => name.length === 1)).toEqual(['a', 'b', 'c']);
    const { results } = await explain(organization.owner, { project: project.id, who: person.email.toUpperCase() });
    expect(results).toMatchObject([{ user_id: person.id, user_type: 'interactive', read: true, write: false }]);
  });

  it('rejects a point in time before the rights were recorded, as in an organization that was upgraded', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const before = await explain(organization.owner, { project: project.id });
    await organization.owner.patch(project.url, { description: 'before the upgrade' });
    const { revision } = await explain(organization.owner, { project: project.id });
    await query(core, 'update rights_version set revision = $2 where organization_id = $1', [
      organization.id,
      revision,
    ]);

    expect((await explain(organization.owner, { project: project.id })).results).toEqual(before.results);
    const reply = await organization.owner.get(`access/explain/?project=${project.id}&revision=${before.revision}`);
    expect(reply).toMatchObject({
      ...{ status: 404, headers: { 'x-error-code': 'rights_not_recorded' } },
    });
    expect(reply.text).toContain(`since revision ${revision} of `);
  });

  it('requires the effective role of an ADMIN, and knows no objects of other organizations', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const stranger = await core.organization();
    const path = `access/explain/?project=${project.id}`;
    const statuses = async (client: RawClient) => (await client.get(path)).status;

    expect(
      await Promise.all((['VIEWER', 'CONTRIB', 'ADMIN'] as const).map((role) => statuses(organization.as(role)))),
    ).toEqual([403, 403, 200]);
    expect(await statuses(stranger.owner)).toBe(404);
    const account = await createAccount(stranger, 'stranger', {});
    expect(await organization.owner.get(`${path}&who=${account.id}`)).toMatchObject({
      ...{ status: 400, headers: { 'x-error-code': 'unknown_link' } },
    });
    expect(await organization.owner.get('access/explain/')).toMatchObject({
      ...{ status: 400, headers: { 'x-error-code': 'required' } },
    });
  });
});
