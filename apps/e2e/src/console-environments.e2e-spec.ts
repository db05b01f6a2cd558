import { randomUUID } from 'node:crypto';
import type { Environment, Page as PageOf, Tag } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

/** Creates a shop with values in several environments, one of them below production. */
async function createShop() {
  const organization = await core().organization();
  const set = (environment: string, values: object) => ({
    set: { project: 'web', environment, create_missing: true, values },
  });
  const production = await organization.environmentNamed('production');
  const changeset = await organization.owner.post('changesets/', {
    operations: [
      { operation: 'projects_create', body: { name: 'web' } },
      {
        operation: 'environments_create',
        body: { name: 'canary', parent: production.url, description: 'One in a hundred' },
      },
      set('default', { PORT: '80', TOKEN: { value: CANARY, secret: true } }),
      set('production', { PORT: '443' }),
      set('staging', { PORT: '8080', HOST: 'staging.example' }),
    ],
  });
  if (changeset.status !== 201) throw new Error(changeset.text);
  return { organization, production };
}

async function named(organization: TestOrganization, name: string): Promise<Environment | undefined> {
  return (await organization.owner.get<PageOf<Environment>>(`environments/?name=${name}`)).body.results[0];
}

describe(`environments in the console${reason}`, () => {
  journey('are a tree with their number of values, and each one opens its page', async () => {
    const { organization, production } = await createShop();
    await organization.owner.post(`environments/${production.id}/tags/`, { name: 'v1' });
    const person = await signedIn(organization, '/environments');
    const { page } = person;
    const tree = page.getByRole('list', { name: 'Environments' });
    const branch = tree
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: /^production/ }) })
      .last();
    await branch.getByText('v1').waitFor();

    expect(await tree.getByRole('link').allTextContents()).toEqual([
      expect.stringMatching(/^default.*2 set here$/),
      expect.stringMatching(/^development.*0 set here$/),
      expect.stringMatching(/^production.*v11 set here$/),
      expect.stringMatching(/^canaryOne in a hundred0 set here$/),
      expect.stringMatching(/^staging.*2 set here$/),
    ]);
    expect(await branch.getByRole('list').getByRole('link').allTextContents()).toEqual([
      expect.stringMatching(/^canary/),
    ]);
    await tree.getByRole('link', { name: /^canary/ }).click();
    await page.getByRole('heading', { name: 'canary', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/environments/canary');
    expect(await person.everythingReadable()).not.toContain(CANARY);
    await page.getByRole('link', { name: 'Compare with production' }).click();
    await page.waitForURL('**/compare?left=production&right=canary');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be created below another by keyboard alone after a preview of the consequences', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/production');
    const { page } = person;
    await page.getByRole('link', { name: 'Create child environment' }).focus();
    await page.keyboard.press('Enter');
    // Waits until the first field has the focus.
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('production-eu');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Starts with 2 values, inherited from production' }).waitFor();
    // A new environment has no previous values that could change.
    expect(await page.getByRole('img', { name: 'becomes' }).count()).toBe(0);
    expect(await named(organization, 'production-eu')).toBeUndefined();

    await page.getByLabel('Reason').fill('Customers in Europe');
    await page.getByRole('button', { name: 'Create environment' }).press('Enter');
    await page.waitForURL(/environments\/production-eu$/);
    await page.getByRole('heading', { name: 'production-eu', level: 1 }).waitFor();

    expect(await named(organization, 'production-eu')).toMatchObject({
      parent: expect.stringContaining('/environments/'),
    });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keep the form when the server rejects a name that is taken', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/default?do=create');
    const { page } = person;
    await page.getByRole('textbox', { name: 'Name' }).fill('staging');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('There is an environment named staging already. Choose another name.').waitFor();

    expect(await page.getByRole('button', { name: 'Create environment' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Name' }).fill('staging-2');
    expect(await page.getByRole('button', { name: 'Create environment' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page.waitForURL(/environments\/staging-2$/);
  });

  journey('can be renamed, which changes the URL, and the rename can be undone at once', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/canary');
    const { page } = person;
    await page.getByRole('link', { name: 'Rename or describe' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('beta');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/environments\/beta/);
    await page.getByRole('heading', { name: 'beta', level: 1 }).waitFor();
    expect(await named(organization, 'beta')).toMatchObject({ description: 'One in a hundred' });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(/environments\/canary/);
    expect(await named(organization, 'beta')).toBeUndefined();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be moved with their descendants after a preview of the effective values that change', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/production?do=move');
    const { page } = person;
    const parent = page.getByLabel('Inherits from');
    await parent.waitFor();
    expect((await parent.getByRole('option').allTextContents()).map((text) => text.trim())).toEqual([
      'default',
      'development',
      'staging',
    ]);
    await page.getByText('Its values and its children move with it: canary.').waitFor();
    await parent.selectOption({ label: '\u2003staging' });
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: '2 effective values change' }).waitFor();
    expect(
      await page.getByRole('region', { name: 'Changes' }).getByRole('heading', { level: 3 }).allTextContents(),
    ).toEqual(['production web1', 'canary web1']);
    const before = await named(organization, 'production');

    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Applied as').waitFor();

    const staging = await named(organization, 'staging');
    expect(before?.parent).not.toBe(staging?.url);
    expect(await named(organization, 'production')).toMatchObject({ parent: staging?.url });
  });

  journey('can be copied with values and descendants, without showing secrets, or without values', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/production?do=copy');
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('twin');
    await page.getByRole('checkbox', { name: 'Copy its children too' }).check();
    await page.getByLabel('Copy of canary').fill('twin-canary');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: /^Starts with 4 values, the same as production and/ }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.waitForURL(/environments\/twin$/);
    await page.getByText('1 set here, in 1 project').waitFor();
    expect(await named(organization, 'twin-canary')).toMatchObject({
      parent: (await named(organization, 'twin'))?.url,
    });

    await person.open('/environments/production?do=copy');
    await page.getByLabel('Name', { exact: true }).fill('shape');
    await page.getByLabel('Its values').selectOption('without');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: /^Starts with (one value|\d+ values), inherited from default$/ }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.waitForURL(/environments\/shape$/);
    await page.getByText('None set here').waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('cannot be deleted without their descendants', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments/production?do=delete');
    const { page } = person;
    await page.getByText('production has children: canary. Delete or move them first.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);

    await page.getByRole('checkbox', { name: 'Delete it as well' }).check();
    await page.getByRole('heading', { name: '4 effective values change' }).waitFor();
    expect(await named(organization, 'production')).toBeDefined();
    await page.getByLabel('Type production to confirm').fill('production');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/environments$/);

    expect([await named(organization, 'production'), await named(organization, 'canary')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show at once what other users create, rename and delete', async () => {
    const { organization } = await createShop();
    const canary = await named(organization, 'canary');
    const person = await signedIn(organization, '/environments/canary', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('heading', { name: 'canary', level: 1 }).waitFor();
    await person.live();

    await organization.owner.patch(`environments/${canary?.id}/`, { name: 'beta' });
    await page.waitForURL(/environments\/beta/);
    await organization.owner.post('environments/', { name: 'beta-eu', parent: canary?.url });
    const child = page.getByRole('list', { name: 'Children' }).getByRole('link', { name: 'beta-eu' });
    await child.waitFor();
    await organization.owner.delete(`environments/${(await named(organization, 'beta-eu'))?.id}/`);
    await child.waitFor({ state: 'detached' });
    await organization.owner.delete(`environments/${canary?.id}/`);
    await page.getByRole('alert').getByText('was deleted').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are read-only for a viewer, and the page says so', async () => {
    const { organization } = await createShop();
    const person = await signedIn(organization, '/environments', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('link', { name: /^production/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Create environment' }).count()).toBe(0);
    await page.getByRole('link', { name: /^production/ }).click();
    await page.getByText('You can read this environment but not change it.').waitFor();

    expect(
      await page.getByRole('link', { name: /^(Create child environment|Rename|Move|Copy|Delete|Tag|Control)/ }).count(),
    ).toBe(0);
    await person.open('/environments/production?do=delete');
    await page.getByText('You can read this environment but not change it.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are shown as they were at a point in the past, read-only', async () => {
    const { organization } = await createShop();
    const before = Number((await organization.owner.get('environments/')).headers['x-revision']);
    await organization.owner.patch(`environments/${(await named(organization, 'canary'))?.id}/`, { name: 'beta' });
    const person = await signedIn(organization, `/environments?at=r${before}`);
    const { page } = person;
    await page.getByRole('link', { name: /^canary/ }).click();
    await page.getByText('Go back to now to change it.').waitFor();

    expect(await page.getByRole('link', { name: 'Rename or describe' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.waitForURL(/environments\/beta/);
    expect(await person.allErrors()).toEqual([]);
  });
});

describe(`pages of environments in the console${reason}`, () => {
  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const { organization, production } = await createShop();
    await organization.owner.post<Tag>(`environments/${production.id}/tags/`, { name: 'v1', description: 'The first' });
    const person = await signedIn(organization, '/environments');
    const { page } = person;
    await page.getByText('v1').waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);

    await person.open('/environments/production?do=move');
    await page.getByRole('link', { name: 'View' }).waitFor();
    await page.getByLabel('Inherits from').selectOption({ label: '\u2003staging' });
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: '2 effective values change' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
