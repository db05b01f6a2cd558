import type { Page as PageOf, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Creates `base`, and `web` that depends on it. */
async function createProjects() {
  const organization = await core().organization();
  const changeset = await organization.owner.post('changesets/', {
    operations: [
      { operation: 'projects_create', as: 'base', body: { name: 'base' } },
      { operation: 'projects_create', body: { name: 'web', depends_on: { $ref: 'base' }, description: 'The shop' } },
      {
        set: {
          project: { $ref: 'base' },
          environment: 'default',
          create_missing: true,
          values: { REGION: 'eu', log_level: 'info' },
        },
      },
      {
        set: {
          project: 'web',
          environment: 'default',
          create_missing: true,
          values: { PORT: '80', HOST: 'shop.example' },
        },
      },
    ],
  });
  if (changeset.status !== 201) throw new Error(changeset.text);
  return organization;
}

async function projectNamed(organization: TestOrganization, name: string): Promise<Project | undefined> {
  return (await organization.owner.get<PageOf<Project>>(`projects/?name=${name}`)).body.results[0];
}

describe(`projects in the console${reason}`, () => {
  journey('can be created empty, with a base project, and opened', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('link', { name: 'Create project' }).click();
    const form = page.getByRole('region', { name: 'Start with an empty project' });
    await form.getByRole('textbox', { name: 'Name' }).fill('  ');
    await form.getByRole('button', { name: 'Create project' }).click();
    await form.getByText('This field may not be blank.').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('api');
    await form.getByLabel('Depends on').selectOption('base');
    await form.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(/projects\/api$/);

    await person.row('REGION').waitFor();
    expect(await projectNamed(organization, 'api')).toMatchObject({
      depends_on: (await projectNamed(organization, 'base'))?.url,
    });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be renamed, which changes the URL, and described', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('The shop').waitFor();
    await page.getByRole('link', { name: 'Rename or describe' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('shop');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/projects\/shop\/settings/);
    await page.getByText('Applied as').waitFor();

    expect(await projectNamed(organization, 'shop')).toMatchObject({ description: 'The shop' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are not overwritten if another user has changed them since they were read', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/web/settings?do=edit');
    const { page } = person;
    await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
    const web = await projectNamed(organization, 'web');
    await organization.owner.patch(`projects/${web?.id}/`, { description: 'Theirs', name: 'shop' });
    await page.waitForURL(/projects\/shop\/settings/);
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'Cancel' }).first().click();
    await page.getByRole('link', { name: 'Rename or describe' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('shop');
    await page.getByRole('textbox', { name: 'Description' }).fill('Ours');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Applied as').waitFor();
    expect(await projectNamed(organization, 'shop')).toMatchObject({ description: 'Ours' });
  });

  journey('depend on the selected project after a preview, and the server rejects a cycle', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/base/settings?do=depend');
    const { page } = person;
    await page.getByLabel('Depends on').selectOption({ label: '\u2003web' });
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('base cannot depend on itself or on a project that depends on it.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);

    await page.goto('/projects/web/settings?do=depend');
    await page.getByLabel('Depends on').selectOption('None');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: '8 effective values change' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Applied as').waitFor();
    expect(await projectNamed(organization, 'web')).toMatchObject({ depends_on: null });
  });

  journey('have a pattern for names, which can be tested against a name and against the existing names', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/base/settings?do=pattern');
    const { page } = person;
    await page.getByText('All of the 2 existing names match.').waitFor();
    await page.getByLabel('Parameter name pattern').fill('[A-Z');
    await page.getByText('This is not a valid RE2 regular expression.').waitFor();
    await page.getByLabel('Parameter name pattern').fill('[A-Z][A-Z_]*$');
    await page.getByText('1 of the 2 existing names do not match: log_level.').waitFor();
    const parameters = `${(await projectNamed(organization, 'base'))?.url}parameters/`;
    const { body } = await organization.owner.get<PageOf<{ url: string }>>(`${parameters}?name=log_level`);
    await organization.owner.patch(body.results[0]?.url ?? '', { name: 'LOG_LEVEL' });
    await page.getByText('All of the 2 existing names match.').waitFor();
    await page.getByLabel('Test a name').fill('zone');
    await page.getByText('zone is not allowed.').waitFor();
    await page.getByLabel('Test a name').fill('ZONE');
    await page.getByText('ZONE is allowed.').waitFor();
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Applied as').waitFor();

    expect(await projectNamed(organization, 'base')).toMatchObject({ parameter_name_pattern: '[A-Z][A-Z_]*$' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be copied with the projects that depend on them', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/base/settings?do=copy');
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('base2');
    await page.getByRole('checkbox', { name: 'Copy dependent projects too' }).check();
    await page.getByLabel('Copy of web').fill('web2');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.waitForURL(/projects\/base2$/);

    expect(await projectNamed(organization, 'web2')).toMatchObject({
      depends_on: (await projectNamed(organization, 'base2'))?.url,
    });
  });

  journey(
    'cannot be deleted while other projects depend on them, and are then deleted with their contents',
    async () => {
      const organization = await createProjects();
      const person = await signedIn(organization, '/projects/base/settings?do=delete');
      const { page } = person;
      await page.getByText(/^base is used by web\./).waitFor();
      expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('main').getByRole('link', { name: 'web' }).last().click();
      await page.waitForURL(/projects\/web\/settings$/);
      await page.getByRole('link', { name: 'Delete' }).click();
      // The project has parameters, so its name is required.
      await page.getByLabel('Type web to confirm').fill('we');
      expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
      expect(await person.accessibilityViolations()).toEqual([]);
      await page.getByLabel('Type web to confirm').fill('web');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.waitForURL(/projects$/);

      expect(await projectNamed(organization, 'web')).toBeUndefined();
      await page.getByText('Applied as').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone (revision').waitFor();
      expect(await projectNamed(organization, 'web')).toMatchObject({ description: 'The shop' });
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('follow a rename by another user, and show that they were deleted', async () => {
    const organization = await createProjects();
    const web = await projectNamed(organization, 'web');
    const person = await signedIn(organization, '/projects/web/settings', { role: 'VIEWER' });
    const { page } = person;
    await page.getByText('You can read these settings but not change them.').waitFor();
    await person.live();
    await organization.owner.patch(`projects/${web?.id}/`, { name: 'shop' });
    await page.waitForURL(/projects\/shop\/settings/);
    await organization.owner.delete(`projects/${web?.id}/`);
    await page.getByRole('alert').getByText('was deleted').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('have accessible settings', async () => {
    const organization = await createProjects();
    const person = await signedIn(organization, '/projects/base/settings?do=pattern');
    const { page } = person;
    await page.getByText('All of the 2 existing names match.').waitFor();
    await page.getByRole('cell', { name: 'string' }).first().waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
