import { randomUUID } from 'node:crypto';
import type { Page as PageOf, Parameter, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

async function createOrganizationWithParameters() {
  const organization = await core().organization();
  const root = await organization.environmentNamed('default');
  const changeset = await organization.owner.post('changesets/', {
    operations: [
      { operation: 'projects_create', as: 'base', body: { name: 'base' } },
      { operation: 'projects_create', as: 'web', body: { name: 'web', depends_on: { $ref: 'base' } } },
      { set: { project: { $ref: 'base' }, environment: 'default', create_missing: true, values: { REGION: 'eu' } } },
      {
        set: {
          project: { $ref: 'web' },
          environment: 'default',
          create_missing: true,
          values: {
            PORT: '80',
            NAME: 'shop',
            TOKEN: { value: CANARY, secret: true },
          },
        },
      },
      {
        operation: 'projects_parameters_create',
        as: 'url',
        path: { project_pk: { $ref: 'web' } },
        body: { name: 'URL' },
      },
      {
        operation: 'projects_parameters_values_create',
        path: { project_pk: { $ref: 'web' }, parameter_pk: { $ref: 'url' } },
        body: { environment: root.url, internal_value: 'http://{{ NAME }}', interpolated: true },
      },
    ],
  });
  if (changeset.status !== 201) throw new Error(changeset.text);
  return organization;
}

async function parameterNamed(organization: TestOrganization, project: string, name: string) {
  const { body } = await organization.owner.get<PageOf<Project>>(`projects/?name=${project}`);
  const address = `projects/${body.results[0]?.id}/parameters/?name=${name}&immediate_parameters=true&mask_secrets=true`;
  return (await organization.owner.get<PageOf<Parameter>>(address)).body.results[0];
}

describe(`parameters in the console${reason}`, () => {
  journey('can be created without a value, also as secrets, and appear in the project', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await page.getByRole('link', { name: 'Add parameter' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('API_KEY');
    await page.getByRole('checkbox', { name: /^Secret/ }).check();
    await page.getByLabel('Expires after').fill('P30D');
    await page.getByLabel('Then').selectOption('replace it with a generated password');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.waitForURL(/projects\/web\/parameters\/API_KEY$/);
    await page.getByText('string, secret').waitFor();
    await page.getByText('Applied as').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'web' }).waitFor();

    expect(await parameterNamed(organization, 'web', 'API_KEY')).toMatchObject({
      secret: true,
      expires: 'P30D',
      expiration_action: { length: 32 },
    });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be renamed and given another type that fits their values, from the matrix', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web?cell=PORT&in=default');
    const { page } = person;
    await page.getByRole('complementary').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('HTTP_PORT');
    await page.getByLabel('Type').selectOption('boolean');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    await page.getByLabel('Type').selectOption('integer');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/parameters\/HTTP_PORT/);
    await page.getByText('Applied as').waitFor();

    expect(await parameterNamed(organization, 'web', 'HTTP_PORT')).toMatchObject({ type: 'integer' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('cannot be renamed or deleted while texts reference them', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web/parameters/NAME?do=change');
    const { page } = person;
    await page.getByText('Values or templates refer to it by name.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('TITLE');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    expect(await parameterNamed(organization, 'web', 'NAME')).toBeDefined();
  });

  journey('can be copied to another project with their values, without showing secrets', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web/parameters/TOKEN?do=copy');
    const { page } = person;
    await page.getByLabel('Into').selectOption('base');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.waitForURL(/projects\/base\/parameters\/TOKEN$/);

    expect(await parameterNamed(organization, 'base', 'TOKEN')).toMatchObject({ secret: true });
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be deleted after a preview of the values that will be missing', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web/parameters/PORT?do=delete');
    const { page } = person;
    await page.getByRole('heading', { name: '4 effective values change' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/projects\/web$/);
    await person.row('NAME').waitFor();

    expect(await parameterNamed(organization, 'web', 'PORT')).toBeUndefined();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('link to the project that owns them, and follow it when another user renames it', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web/parameters/REGION', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('link', { name: 'REGION of base' }).click();
    await page.waitForURL(/projects\/base\/parameters\/REGION$/);
    await page.getByText('You can read this project but not change it.').waitFor();
    await person.live();
    const { project = '', id } = (await parameterNamed(organization, 'base', 'REGION')) ?? {};
    const [projectId] = project.split('/').slice(-2);
    await organization.owner.patch(`projects/${projectId}/parameters/${id}/`, { name: 'ZONE' });
    await page.waitForURL(/projects\/base\/parameters\/ZONE$/);
    await organization.owner.delete(`projects/${projectId}/parameters/${id}/`);
    await page.getByRole('alert').getByText('was deleted').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('have accessible pages', async () => {
    const organization = await createOrganizationWithParameters();
    const person = await signedIn(organization, '/projects/web/parameters/TOKEN?do=change');
    const { page } = person;
    await page.getByLabel('Expires after').fill('P30D');
    await page.getByLabel('Then').waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });
});
