import { randomUUID } from 'node:crypto';
import type { Page, ParameterType } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

async function fetchType(organization: TestOrganization, name: string): Promise<ParameterType | undefined> {
  const { body } = await organization.owner.get<Page<ParameterType>>(`types/?name=${encodeURIComponent(name)}`);
  return body.results[0];
}

/** Creates the type `port`, an integer of at most 65535, and `web` with two parameters of that type. */
async function createPorts() {
  const organization = await core().organization();
  const { owner } = organization;
  const parent = (await fetchType(organization, 'integer'))?.url;
  const { body: port } = await owner.post<ParameterType>('types/', { name: 'port', description: 'Of TCP.', parent });
  const limit = { type: 'max', constraint: '65535' };
  const { body: rule } = await owner.post<{ readonly url: string }>(`${port.url}rules/`, limit);
  const project = await organization.project({ name: 'web' });
  const http = await organization.parameter({ project, name: 'HTTP', type: 'port' });
  await organization.parameter({ project, name: 'ADMIN', type: 'port' });
  await organization.value({ parameter: http, internal_value: '80' });
  return { organization, port, rule, project, http };
}

describe(`types in the console${reason}`, () => {
  journey('are explained if there are none, and created with a base type after a preview', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/types');
    const { page } = person;
    await page.getByRole('heading', { name: 'No custom types yet' }).waitFor();
    await page.getByRole('link', { name: 'Create type' }).click();
    await page.getByLabel('Name').fill('port');
    expect(await page.getByLabel('Based on').locator('option:checked').textContent()).toBe('string');
    await page.getByLabel('Based on').selectOption({ label: 'integer' });
    await page.getByLabel('Description').fill('Of TCP.');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: 'No effective values change' }).waitFor();
    expect(await fetchType(organization, 'port')).toBeUndefined();

    await page.getByRole('button', { name: 'Create type' }).click();
    await page.getByRole('heading', { name: 'port', level: 1 }).waitFor();
    expect(await fetchType(organization, 'port')).toMatchObject({ parent_name: 'integer', description: 'Of TCP.' });
    await page.getByText('No rules: any whole number').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('follow a rename by another user, and drafts are kept', async () => {
    const { organization, port } = await createPorts();
    const person = await signedIn(organization, '/types/port');
    const { page } = person;
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('Mine.');
    await person.live();
    await organization.owner.patch(port.url, { name: 'tcp port' });
    await page.waitForURL(/types\/tcp%20port\?do=edit$/);
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine.');
  });

  journey('are a tree with their base, rules and number of parameters', async () => {
    const { organization, port } = await createPorts();
    await organization.owner.post('types/', { name: 'high port', parent: port.url });
    const person = await signedIn(organization, '/types');
    const { page } = person;
    const cells = (name: string) => {
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      return row.getByRole('cell').allTextContents();
    };
    await page.getByRole('rowheader', { name: 'port', exact: true }).waitFor();
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();

    expect(await page.getByRole('rowheader').allTextContents()).toEqual([
      'boolean',
      'integer',
      'port',
      'high port',
      'string',
    ]);
    expect(await cells('port')).toEqual(['integer', 'at most 65535', '2', 'Of TCP.']);
    expect(await cells('high port')).toEqual(['integer', 'none', 'none', '']);
  });

  journey('accept a rule only if every value fits, and list the values that do not fit', async () => {
    const { organization, port } = await createPorts();
    const person = await signedIn(organization, '/types/port');
    const { page } = person;
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByLabel('Smallest number').fill('1024');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('HTTP');
    expect(await page.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.getByLabel('Smallest number').fill('1');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('row', { name: /^Smallest number 1 here/ }).waitFor();
    expect((await organization.owner.get<ParameterType>(port.url)).body.rules).toHaveLength(2);

    await page.getByRole('link', { name: 'Change Largest number' }).click();
    await page.getByLabel('Largest number').fill('50');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Delete Smallest number' }).click();
    await page.getByRole('button', { name: 'Delete rule' }).click();
    await page.getByRole('row', { name: /^Smallest number/ }).waitFor({ state: 'detached' });
    expect((await organization.owner.get<ParameterType>(port.url)).body.rules).toMatchObject([
      { type: 'max', constraint: '65535' },
    ]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'can be tested with a text against their rules and inherited rules, and show which rule rejects it',
    async () => {
      const { organization, port } = await createPorts();
      const { body: high } = await organization.owner.post<ParameterType>('types/', { name: 'high', parent: port.url });
      await organization.owner.post(`${high.url}rules/`, { type: 'min', constraint: '1024' });
      const person = await signedIn(organization, '/types/high', { role: 'VIEWER' });
      const { page } = person;
      const tried = page.getByLabel('Test a value');
      await tried.fill('8080');
      await page.getByText('Valid.').waitFor();
      await tried.fill('80');
      await page.getByText('The value must be at least 1024 (rule min of type high).').waitFor();
      await tried.fill('70000');
      await page.getByText('The value must be at most 65535 (rule max of type port).').waitFor();
      await tried.fill('many');
      await page.getByText('The value is not of type high').waitFor();

      expect(await page.getByRole('link', { name: 'Add a rule' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Delete' }).count()).toBe(0);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('can be renamed and moved, which other users see at once', async () => {
    const { organization } = await createPorts();
    const [person, secondPerson] = [
      await signedIn(organization, '/types/port'),
      await signedIn(organization, '/types', { role: 'VIEWER' }),
    ];
    const { page } = person;
    await secondPerson.page.getByRole('link', { name: 'port', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Name').fill('tcp port');
    await page.getByLabel('Description').fill('Of TCP and UDP.');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save type' }).click();
    await page.getByRole('heading', { name: 'tcp port', level: 1 }).waitFor();
    await secondPerson.page.getByRole('link', { name: 'tcp port', exact: true }).waitFor();

    expect(await fetchType(organization, 'tcp port')).toMatchObject({ description: 'Of TCP and UDP.' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('list the parameters that use them, and can be deleted only if there are none', async () => {
    const { organization, port } = await createPorts();
    await organization.owner.post('types/', { name: 'unused', parent: port.url });
    const person = await signedIn(organization, '/types/port');
    const { page } = person;
    await page.getByRole('heading', { name: '2 parameters' }).waitFor();
    const users = page.getByRole('region', { name: '2 parameters' });
    expect(await users.getByRole('rowheader').allTextContents()).toEqual(['ADMIN', 'HTTP']);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('unused');
    expect(await page.getByRole('button', { name: 'Delete type' }).isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'unused' }).click();
    await page.getByText('No parameter has this type').waitFor();
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete type' }).click();
    await page.waitForURL(/\/types$/);
    expect(await fetchType(organization, 'unused')).toBeUndefined();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be narrowed for a single parameter by its own rules', async () => {
    const { organization, http } = await createPorts();
    const person = await signedIn(organization, '/types/port');
    const { page } = person;
    await page.getByRole('link', { name: 'HTTP' }).click();
    await page.getByRole('row', { name: /^Largest number 65535 type port/ }).waitFor();
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByLabel('Rule', { exact: true }).selectOption('max');
    await page.getByLabel('Largest number').fill('90');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('row', { name: /^Largest number 90 here/ }).waitFor();
    await page.getByLabel('Test a value').fill('91');
    await page.getByText('(rule max of parameter HTTP)').waitFor();

    expect((await organization.owner.get<Page<object>>(`${http.url}rules/`)).body.results).toMatchObject([
      { type: 'max', constraint: '90' },
    ]);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keep the open form in the URL, so that a reload keeps it and the back button closes it', async () => {
    const { organization } = await createPorts();
    const person = await signedIn(organization, '/types');
    const { page } = person;
    await page.getByRole('link', { name: 'Create type' }).click();
    await page.waitForURL(/\/types\?do=create$/);
    await page.reload();
    await page.getByRole('region', { name: 'Create type' }).getByLabel('Name').waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Create type' }).waitFor({ state: 'detached' });

    for (const address of ['/types/port', '/projects/web/parameters/HTTP/rules']) {
      await person.open(`${address}?do=add-rule`);
      await page.getByRole('region', { name: 'Add a rule' }).getByLabel('Smallest number').fill('1');
      await page.getByRole('button', { name: 'Preview changes' }).click();
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('row', { name: /^Smallest number 1 here/ }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.getByRole('link', { name: 'Change Smallest number' }).click();
      await page.reload();
      const form = page.getByRole('region', { name: 'Change “at least 1”' });
      expect(await form.getByLabel('Smallest number').inputValue()).toBe('1');
      await form.getByRole('link', { name: 'Cancel' }).click();
      await form.waitFor({ state: 'detached' });
    }
    await person.open('/types/port?do=edit');
    expect(await page.getByRole('region', { name: 'Edit' }).getByLabel('Name').inputValue()).toBe('port');
    expect(await person.violationsInEveryLook()).toEqual([]);
    await person.open('/types/port?do=delete');
    await page.getByText('This can’t be applied').waitFor();
    expect(await person.allErrors()).toEqual([]);
    const reader = await signedIn(organization, '/types/port?do=edit', { role: 'VIEWER' });
    await reader.page.getByRole('heading', { name: '2 parameters' }).waitFor();
    expect(await reader.page.getByLabel('Name').count()).toBe(0);
  });

  journey('keep the form of a rule that another user deletes, and show that the rule is gone', async () => {
    const { organization, rule } = await createPorts();
    const person = await signedIn(organization, '/types/port');
    const { page } = person;
    await person.live();
    await page.getByRole('link', { name: 'Change Largest number' }).click();
    const form = page.getByRole('region', { name: 'Change “at most 65535”' });
    await form.getByLabel('Largest number').fill('1234');
    await organization.owner.delete(rule.url);
    await form.getByRole('alert').filter({ hasText: 'This rule was deleted' }).waitFor();
    expect(await form.getByLabel('Largest number').inputValue()).toBe('1234');
    expect(await form.getByRole('button', { name: 'Preview changes' }).isDisabled()).toBe(true);
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.reload();
    const nothing = page.getByRole('region', { name: 'Change a rule' });
    await nothing.getByText('There is no such rule').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await nothing.getByRole('link', { name: 'Cancel' }).click();
    await nothing.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await nothing.waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('check a text for a secret parameter without showing it', async () => {
    const { organization, project } = await createPorts();
    const secret = await organization.parameter({ project, name: 'TOKEN', secret: true });
    await organization.owner.post(`${secret.url}rules/`, { type: 'min_len', constraint: '4' });
    const person = await signedIn(organization, '/projects/web/parameters/TOKEN/rules');
    const { page } = person;
    const canary = `canary-${randomUUID()}`;
    await page.getByLabel('Test a value').fill(canary);
    await page.getByText('Valid.').waitFor();

    expect(await person.everythingReadable()).not.toContain(canary);
    expect(await page.getByLabel('Test a value').getAttribute('type')).toBe('password');
  });

  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const { organization, port } = await createPorts();
    await organization.owner.post(`${port.url}rules/`, { type: 'min', constraint: '1' });
    const person = await signedIn(organization, '/types');
    const { page } = person;
    await page.getByRole('rowheader', { name: 'port', exact: true }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('link', { name: 'port', exact: true }).click();
    await page.getByRole('heading', { name: '2 parameters' }).waitFor();
    await page.getByLabel('Test a value').fill('0');
    await page.getByText('must be at least 1').waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
