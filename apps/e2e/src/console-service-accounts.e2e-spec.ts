import type { Page, ServiceAccount, ServiceAccountCreated, TrustRule, User } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const createClient = (key: string | null) => new RawClient(core().origin, `Api-Key ${key}`);
const readsWith = async (key: string | null) => (await createClient(key).get<User>('users/current/')).status;

describe(`service accounts in the console${reason}`, () => {
  journey('are explained, created with a role and an expiry date, and show their key once', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/access/service-accounts', { role: 'CONTRIB' });
    const { page } = person;
    await page.getByRole('heading', { name: 'No service accounts yet' }).waitFor();
    await page.getByRole('button', { name: 'Create service account' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Role').locator('option').allTextContents()).toEqual(['viewer', 'contributor']);
    await dialog.getByLabel('Name').fill('pipeline');
    await dialog.getByLabel('Description').fill('Deploys the shop');
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await dialog.getByLabel('Expires').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Create service account' }).click();
    await dialog.getByText('Copy it now').waitFor();
    await page.keyboard.press('Escape');
    const key = await dialog.locator('code', { hasText: /^\w{8}\./ }).textContent();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await createClient(key).get<User>('users/current/')).toMatchObject({
      body: { name: 'pipeline', role: 'CONTRIB' },
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: 'pipeline' });
    await row.filter({ hasText: 'Deploys the shop' }).filter({ hasText: 'until 31 Dec 2099' }).waitFor();
    await row.filter({ hasText: 'Ada' }).waitFor();
    expect(await person.everythingReadable()).not.toContain(key?.split('.')[1]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'can be given a new key, which replaces the old one, and another description and role, and can be deleted',
    async () => {
      const organization = await core().organization();
      const account = { name: 'pipeline', role: 'VIEWER' };
      const { body: createdAccount } = await organization.owner.post<ServiceAccountCreated>(
        'serviceaccounts/',
        account,
      );
      expect(await readsWith(createdAccount.apikey)).toBe(200);
      const person = await signedIn(organization, '/access/service-accounts', { role: 'ADMIN' });
      const { page } = person;
      const row = page.getByRole('row').filter({ hasText: 'pipeline' });
      await row.filter({ hasText: 'no expiry' }).waitFor();
      await row.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('Previous key').locator('option:checked').textContent()).toBe(
        'Stops working immediately',
      );
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const key = await dialog.locator('code', { hasText: /^\w{8}\./ }).textContent();
      expect([await readsWith(createdAccount.apikey), await readsWith(key)]).toEqual([403, 200]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await row.filter({ hasText: key?.split('.')[0] ?? '?' }).waitFor();

      await row.getByRole('button', { name: 'Change of' }).click();
      await dialog.getByLabel('Description').fill('Builds the shop');
      await organization.owner.patch(createdAccount.url, { description: 'Theirs' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByRole('alert').filter({ hasText: 'it is “Theirs” now' }).waitFor();
      await dialog.getByLabel('Owner').selectOption('Ada');
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await row.filter({ hasText: 'Builds the shop' }).filter({ hasText: 'Ada' }).waitFor();
      await row.getByRole('button', { name: 'Change role' }).click();
      await dialog.getByLabel('Role').selectOption('CONTRIB');
      await dialog.getByRole('button', { name: 'Change role', exact: true }).click();
      await row.filter({ hasText: 'contrib' }).waitFor();
      const { body } = await organization.owner.get<Page<ServiceAccount>>('serviceaccounts/');
      expect(body.results).toMatchObject([{ role: 'CONTRIB', description: 'Builds the shop' }]);

      await row.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('heading', { name: 'No service accounts yet' }).waitFor();
      expect(await readsWith(key)).toBe(403);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('get keys with limits and an overlap, and the list shows what expires soon and what was used', async () => {
    const organization = await core().organization();
    const project = await organization.project({ name: 'shop' });
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'pipeline',
      role: 'CONTRIB',
      expire_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    });
    const person = await signedIn(organization, '/access/service-accounts', { role: 'ADMIN' });
    const { page } = person;
    const row = page.getByRole('row').filter({ hasText: 'pipeline' });
    await row.getByText('expires soon').waitFor();
    await row.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    const proposal = Date.parse(await dialog.getByLabel('Expires').inputValue());
    expect(Math.round((proposal - Date.now()) / 86_400_000)).toBeGreaterThan(88);
    await dialog.getByLabel('Previous key').selectOption('Works for one more hour');
    await dialog.getByLabel('Scopes of the key').selectOption('Read only');
    await dialog.getByLabel('Where the key is valid: projects').selectOption('Only the following');
    await dialog.getByRole('checkbox', { name: 'shop' }).check();
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.locator('code', { hasText: /^\w{8}\./ }).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await row.getByText('only read, in 1 project').waitFor();
    expect([await readsWith(account.apikey), await readsWith(key)]).toEqual([200, 200]);
    expect((await createClient(key).post(`${project.url}parameters/`, { name: 'x' })).status).toBe(403);
    expect((await createClient(account.apikey).post(`${project.url}parameters/`, { name: 'x' })).status).toBe(201);
    await page.reload();
    await row.getByText('last used to write').waitFor();
    await row.getByText('last used to read').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can trust the tokens of workloads by rules, which are explained, added and deleted', async () => {
    const organization = await core().organization();
    const { body: createdAccount } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'pipeline',
    });
    const rules = async () =>
      (await organization.owner.get<Page<TrustRule>>(`${createdAccount.url}trust-rules/`)).body.results.map(
        ({ subject, claims }) => ({ subject, claims }),
      );
    const person = await signedIn(organization, '/access/service-accounts', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('row').filter({ hasText: 'pipeline' }).getByRole('button', { name: 'Trust rules' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No trust rules yet').waitFor();
    await dialog.getByLabel('Issuer').fill('https://elsewhere.example');
    await dialog.getByLabel('Subject').fill('project_path:group/app:ref_type:branch:ref:*');
    await dialog.getByRole('button', { name: 'Add trust rule' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'https://workloads.example' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    await dialog.getByLabel('Issuer').fill('https://workloads.example');
    await dialog.getByRole('button', { name: 'Add trust rule' }).click();
    await dialog.getByText('Require the claim project_id or namespace_id as well').waitFor();
    await dialog.getByLabel('Issuer').fill('https://workloads.example');
    await dialog.getByLabel('Subject').fill('project_path:group/app:ref_type:tag:ref:*');
    await dialog.getByLabel('Required claims').fill('project_id = 22\nref_protected=true');
    await dialog.getByRole('button', { name: 'Add trust rule' }).click();
    const list = dialog.getByRole('list', { name: 'Trust rules' });
    await list.getByRole('listitem').filter({ hasText: 'project_id=22' }).filter({ hasText: 'never used' }).waitFor();
    await list.getByRole('button', { name: 'ref_type:branch' }).click();
    await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });

    expect(await rules()).toEqual([
      { subject: 'project_path:group/app:ref_type:tag:ref:*', claims: { project_id: '22', ref_protected: 'true' } },
    ]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show at the field that an expiry date is in the past, and keep the form', async () => {
    const organization = await core().organization();
    const { page } = await signedIn(organization, '/access/service-accounts', { role: 'CONTRIB' });
    await page.getByRole('button', { name: 'Create service account' }).click();
    await page.getByLabel('Name').fill('pipeline');
    await page.getByLabel('Expires').fill('2020-01-01');
    await page.getByRole('dialog').getByRole('button', { name: 'Create service account' }).click();
    await page.getByRole('alert').filter({ hasText: 'This is in the past.' }).waitFor();

    expect(await page.getByRole('alert').allTextContents()).toHaveLength(1);
    expect(await page.getByLabel('Expires').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name').inputValue()).toBe('pipeline');
  });

  journey('are read-only for a viewer, and so are those of other users and of higher roles', async () => {
    const organization = await core().organization();
    for (const role of ['VIEWER', 'OWNER']) {
      await organization.owner.post('serviceaccounts/', { name: `robot ${role}`, role });
    }
    const admin = await signedIn(organization, '/access/service-accounts', { role: 'ADMIN' });
    await admin.page.getByRole('row').filter({ hasText: 'robot VIEWER' }).getByRole('button').first().waitFor();
    expect(await admin.page.getByRole('row').filter({ hasText: 'robot OWNER' }).getByRole('button').count()).toBe(0);
    const contrib = await signedIn(organization, '/access/service-accounts', { role: 'CONTRIB' });
    await contrib.page.getByRole('row').filter({ hasText: 'robot VIEWER' }).waitFor();
    expect(await contrib.page.getByRole('row').getByRole('button').count()).toBe(0);

    const reader = await signedIn(organization, '/access/service-accounts', { role: 'VIEWER' });
    await reader.page.getByText('You can read service accounts but not change them.').waitFor();
    await reader.page.getByRole('row').filter({ hasText: 'robot VIEWER' }).waitFor();
    expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await reader.allErrors()).toEqual([]);
  });

  journey('appear when another user creates them', async () => {
    const organization = await core().organization();
    const { page } = await signedIn(organization, '/access/service-accounts', { role: 'VIEWER' });
    await page.getByText('at revision').waitFor();
    await organization.owner.post('serviceaccounts/', { name: 'pipeline', role: 'VIEWER' });

    await page.getByRole('row').filter({ hasText: 'pipeline' }).waitFor();
  });

  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const organization = await core().organization();
    for (const role of ['VIEWER', 'CONTRIB', 'ADMIN']) {
      const description = 'Reads what it needs at its start';
      await organization.owner.post('serviceaccounts/', { name: `robot ${role}`, role, description });
    }
    const options = { role: 'OWNER' };
    const person = await signedIn(organization, '/access/service-accounts', options);
    await person.page.getByRole('row').filter({ hasText: 'robot ADMIN' }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
