import type { Grant, Group, Page, ServiceAccountCreated, User } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn, memberOf } = await setUpConsoleTests();

const userWith = async (organization: TestOrganization, email: string) =>
  (await organization.owner.get<Page<User>>('users/?type=interactive')).body.results.find(
    (candidate) => candidate.email === email,
  );
const fetchGrants = async (organization: TestOrganization) =>
  (await organization.owner.get<Page<Grant>>('grants/')).body.results;

/** Creates a group, and restricts `production` to the owner of the organization. */
async function createRestrictedProduction() {
  const organization = await core().organization();
  const production = await organization.environmentNamed('production');
  const owner = (await organization.owner.get<User>('users/current/')).body;
  const scope = production.url;
  await organization.owner.post('grants/', { principal: owner.url, scope, role: 'OWNER' });
  const { body: group } = await organization.owner.post<Group>('groups/', { name: 'Operators', users: [] });
  return { organization, production, owner, group };
}

describe(`groups in the console${reason}`, () => {
  journey('are explained, created, renamed, given members and deleted', async () => {
    const organization = await core().organization();
    const { email } = await memberOf(organization);
    const account = { name: 'deployer', role: 'VIEWER' };
    await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const person = await signedIn(organization, '/access/groups', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Operators');
    await page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Operators' });
    await row.filter({ hasText: 'nobody' }).waitFor();

    await row.getByRole('button', { name: 'Members' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByLabel('Person or service account');
    await chosen.selectOption({ label: 'deployer' });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'deployer' }).filter({ hasText: 'service account' }).waitFor();
    await chosen.selectOption({ label: `Ada · ${email}` });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'Ada' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove deployer' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'deployer' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await row.filter({ hasText: 'Ada' }).waitFor();

    await row.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('On call');
    const { body: groups } = await organization.owner.get<Page<Group>>('groups/');
    await organization.owner.patch(groups.results[0]?.url ?? '', { description: 'Who is woken up' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const renamed = page.getByRole('row').filter({ hasText: 'On call' }).filter({ hasText: 'Who is woken up' });
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are not deleted if another user has changed them unseen', async () => {
    const { organization, group } = await createRestrictedProduction();
    const person = await signedIn(organization, '/access/groups', { role: 'ADMIN' });
    const { page } = person;
    const dialog = page.getByRole('dialog');
    await person.live();
    await page.getByRole('row').filter({ hasText: 'Operators' }).getByRole('button', { name: 'Delete' }).click();
    await organization.owner.patch(group.url, { name: 'On call' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'has changed since you opened it' }).waitFor();
    expect((await organization.owner.get<Group>(group.url)).body.name).toBe('On call');

    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row').filter({ hasText: 'On call' }).getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'are deleted on the second attempt if another user has changed them and the console received no event',
    async () => {
      const { organization, group } = await createRestrictedProduction();
      const person = await signedIn(organization, '/account', { role: 'ADMIN' });
      const { page } = person;
      const dialog = page.getByRole('dialog');
      await page.routeWebSocket(/graphql/, (line) => line.close());
      await page.goto('/access/groups');
      await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor();
      await page.getByRole('button', { name: 'Delete Operators' }).click();
      await organization.owner.patch(group.url, { name: 'On call' });
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('alert').filter({ hasText: 'review the current version' }).waitFor();
      expect((await organization.owner.get<Group>(group.url)).body.name).toBe('On call');

      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Delete On call' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
      expect((await organization.owner.get<Group>(group.url)).status).toBe(404);
    },
  );

  journey('show at the field that a name is taken, and are read-only for a user who may not change them', async () => {
    const { organization } = await createRestrictedProduction();
    const { page } = await signedIn(organization, '/access/groups', { role: 'ADMIN' });
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Operators');
    await page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('alert').filter({ hasText: 'Operators' }).waitFor();

    const reader = await signedIn(organization, '/access/groups', { role: 'VIEWER' });
    await reader.page.getByRole('rowheader', { name: 'Operators' }).waitFor();
    await reader.page.getByText('You can read groups but not change them.').waitFor();
    expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0);
  });
});

describe(`grants in the console${reason}`, () => {
  journey('explain access control if the scope has none', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    await person.page.getByRole('heading', { name: 'No restrictions yet' }).waitFor();

    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are created, changed and revoked in a matrix', async () => {
    const { organization, production, owner, group } = await createRestrictedProduction();
    const person = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('columnheader', { name: 'production environment' }).waitFor();
    await page.getByRole('button', { name: 'Grant access' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To').selectOption({ label: 'Operators' });
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await dialog.getByText('A contributor also changes its contents.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Grant access' }).click();

    await page.getByRole('button', { name: 'Operators in production: contributor' }).click();
    await dialog.getByLabel('Role').selectOption('ADMIN');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Operators in production: admin' }).waitFor();
    expect(await fetchGrants(organization)).toContainEqual(
      expect.objectContaining({ principal: group.url, scope: production.url, role: 'ADMIN' }),
    );

    // While other grants exist, the last owner of a scope cannot be removed.
    await page.getByRole('button', { name: `${owner.name} in production: owner` }).click();
    await dialog.getByLabel('Role').selectOption('');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Grant OWNER to another member first' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Operators in production: admin' }).click();
    await dialog.getByLabel('Role').selectOption('');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Operators' }).waitFor({ state: 'detached' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are not changed or revoked if another user has changed them unseen', async () => {
    const { organization, production, group } = await createRestrictedProduction();
    const grantInput = { principal: group.url, scope: production.url, role: 'VIEWER' };
    const { body: grant } = await organization.owner.post<Grant>('grants/', grantInput);
    const roleNow = async () => (await organization.owner.get<Grant>(grant.url)).body.role;
    const person = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    const { page } = person;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Operators in production: viewer' }).click();
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await organization.owner.patch(grant.url, { role: 'ADMIN' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'it is “admin” now' }).waitFor();
    expect(await roleNow()).toBe('ADMIN');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Operators in production: contributor' }).click();

    await dialog.getByLabel('Role').selectOption('');
    await organization.owner.patch(grant.url, { role: 'OWNER' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'it is “owner” now' }).waitFor();
    expect(await roleNow()).toBe('OWNER');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('warn that revoking the only one opens the scope to everyone', async () => {
    const { organization, owner } = await createRestrictedProduction();
    const { page } = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    await page.getByRole('button', { name: `${owner.name} in production: owner` }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('');
    await page.getByText('This is the only grant.').waitFor();
    await page.getByRole('button', { name: 'Revoke and remove restriction' }).click();

    await page.getByRole('heading', { name: 'No restrictions yet' }).waitFor();
    expect(await fetchGrants(organization)).toEqual([]);
  });

  journey(
    'show only that the scope is forbidden to a user without access, and follow changes of other users',
    async () => {
      const { organization, production, owner } = await createRestrictedProduction();
      const member = await memberOf(organization, 'VIEWER');
      const reader = await signedIn(organization, '/access/grants', { role: 'VIEWER' });
      await reader.page.getByRole('columnheader', { name: 'production no access' }).waitFor();
      await reader.page.getByText('at revision').waitFor();
      expect(await reader.page.getByRole('rowheader').count()).toBe(0);
      expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0);

      const user = await userWith(organization, member.email);
      const grant = { principal: user?.url, scope: production.url, role: 'VIEWER' };
      await organization.owner.post('grants/', grant);
      const allowed = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
      await allowed.page.getByRole('button', { name: 'Ada in production: viewer' }).waitFor();
      await organization.owner.delete(`grants/multi/?principal=${user?.id}`);
      await allowed.page.getByRole('rowheader', { name: 'Ada' }).waitFor({ state: 'detached' });
      await allowed.page.getByRole('rowheader', { name: owner.name ?? '' }).waitFor();
      expect(await reader.allErrors()).toEqual([]);
    },
  );

  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const { organization, group } = await createRestrictedProduction();
    for (const name of ['payments', 'web', 'a-project-with-a-rather-long-name']) {
      const { url } = await organization.project({ name });
      await organization.owner.post('grants/', { principal: group.url, scope: url, role: 'OWNER' });
    }
    const person = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('button', { name: 'Operators in web: owner' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.goto('/access/groups');
    await page.getByRole('rowheader', { name: 'Operators' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});

describe(`changes of access in the console${reason}`, () => {
  journey('show who would gain or lose access before they are saved', async () => {
    const { organization, production, group } = await createRestrictedProduction();
    await organization.project({ name: 'shop' });
    const account = { name: 'deployer', role: 'CONTRIB' };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    await organization.owner.post(`${group.url}add/?user=${body.user.id}`, {});
    const person = await signedIn(organization, '/access/grants', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('button', { name: 'Grant access' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To').selectOption({ label: 'Operators' });
    await dialog.getByText(/^deployer can read .* in production/).waitFor();
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await dialog.getByText(/^deployer can change .* in production/).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Grant access' }).click();

    await page.getByRole('button', { name: 'Operators in production: contributor' }).click();
    await dialog.getByLabel('Role').selectOption('VIEWER');
    await dialog.getByText(/^deployer can no longer change .* in production/).waitFor();
    expect((await fetchGrants(organization)).find(({ principal }) => principal === group.url)?.role).toBe('CONTRIB');
    expect((await organization.owner.get(production.url)).status).toBe(200);
    expect(await person.allErrors()).toEqual([]);
  });
});

describe(`temporary access in the console${reason}`, () => {
  journey('is requested by a member, approved by an admin, listed with its end, and ended early', async () => {
    const { organization } = await createRestrictedProduction();
    const member = await signedIn(organization, '/access/requests', { role: 'CONTRIB' });
    await member.page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await member.page.getByRole('button', { name: 'Request access' }).first().click();
    const dialog = member.page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await dialog.getByLabel('Why').fill('Fix the outage');
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Request access' }).click();
    await member.page
      .getByRole('row')
      .filter({ hasText: 'Fix the outage' })
      .filter({ hasText: 'Pending, for 1 h' })
      .waitFor();
    expect(await member.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const admin = await signedIn(organization, '/access/requests', { role: 'ADMIN' });
    await admin.page.getByRole('button', { name: 'Approve' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await admin.page.getByRole('row').filter({ hasText: 'Approved until' }).waitFor();
    expect(await admin.accessibilityViolations()).toEqual([]);
    await member.page.getByRole('row').filter({ hasText: 'Approved until' }).waitFor();

    await admin.page.goto('/access/grants');
    const grants = admin.page.getByRole('region', { name: 'Temporary grants' });
    await grants.getByRole('row').filter({ hasText: 'contributor' }).waitFor();
    await grants.getByRole('button', { name: 'End' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await grants.waitFor({ state: 'detached' });
    await member.page.getByRole('row').filter({ hasText: 'Ended early' }).waitFor();
    expect([...(await admin.allErrors()), ...(await member.allErrors())]).toEqual([]);
  });
});

describe(`unused access in the console${reason}`, () => {
  journey('is listed, reviewed with its plan, and removed', async () => {
    const { organization, production } = await createRestrictedProduction();
    const account = { name: 'deployer', role: 'VIEWER', reveals_secrets: false };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const grant = { principal: body.user.url, scope: production.url, role: 'CONTRIB' };
    await organization.owner.post('grants/', grant);
    await organization.project({ name: 'shop' });
    const database = new pg.Client({ connectionString: core().database.url });
    await database.connect();
    await database.query(
      `update access_grant set modified_at = now() - interval '100 days' where organization_id = $1`,
      [organization.id],
    );
    await database.end();
    const person = await signedIn(organization, '/access/unused', { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('deployer: remove the grant contributor in production').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Review changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Access to values/).waitFor();
    await dialog.getByRole('button', { name: 'Remove unused access' }).click();
    await page.getByRole('heading', { name: 'No unused access' }).waitFor();
    expect((await fetchGrants(organization)).map(({ role }) => role)).toEqual(['OWNER']);
    expect(await person.allErrors()).toEqual([]);
  });
});
