import { randomUUID } from 'node:crypto';
import type { Page, Template } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

/** Creates `web` below `base`, with PORT in two environments, an inherited HOST and a secret TOKEN. */
async function createWeb() {
  const organization = await core().organization();
  const base = await organization.project({ name: 'base' });
  const host = await organization.parameter({ project: base, name: 'HOST' });
  await organization.value({ parameter: host, internal_value: 'base.example' });
  const project = await organization.project({ name: 'web', depends_on: base.url });
  const port = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter: port, internal_value: '80' });
  const production = await organization.environmentNamed('production');
  await organization.value({ parameter: port, environment: production, internal_value: '443' });
  const token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  await organization.value({ parameter: token, internal_value: CANARY });
  const createTemplate = async (name: string, body: string) =>
    (await organization.owner.post<Template>(`${project.url}templates/`, { name, body })).body;
  return { organization, project, port, createTemplate };
}

const fetchBody = async (organization: TestOrganization, { url }: Template) =>
  (await organization.owner.get<Template>(`${url}?evaluate=false`)).body.body;

const editor = ({ page }: ConsolePerson) => page.getByRole('textbox', { name: /^Text of/ });
const preview = ({ page }: ConsolePerson, environment: string) =>
  page.getByRole('region', { name: `Preview in ${environment}` });

/** Returns the visible part of the text in the editor. */
const written = async (person: ConsolePerson) =>
  (await editor(person).locator('.cm-line').allTextContents()).join('\n');

describe(`templates in the console${reason}`, () => {
  journey('are explained, created, written with completed references, and saved after a preview', async () => {
    const { organization, project } = await createWeb();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByLabel('Name').fill('nginx.conf');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'nginx.conf', level: 1 }).waitFor();

    await editor(person).click();
    await page.keyboard.type('listen {{PO');
    await page.getByRole('option', { name: /^PORT/ }).click();
    await page.keyboard.type(';');
    await preview(person, 'default').getByText('listen 80;').waitFor();
    expect(await written(person)).toBe('listen {{ PORT }};');
    await page.getByRole('combobox', { name: /^Preview in/ }).selectOption('production');
    await preview(person, 'production').getByText('listen 443;').waitFor();
    await page.getByRole('button', { name: 'Compare with' }).click();
    await preview(person, 'default').getByText('listen 80;').waitFor();

    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByLabel('Reason').fill('The shop listens');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename or describe' }).waitFor();
    const { body } = await organization.owner.get<Page<Template>>(`${project.url}templates/`);
    expect(body.results).toMatchObject([{ name: 'nginx.conf', body: 'listen {{ PORT }};' }]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('underline unknown references with the reason, and cannot be saved with them', async () => {
    const { organization, createTemplate } = await createWeb();
    await createTemplate('page', 'x');
    const person = await signedIn(organization, '/projects/web/templates/page');
    const { page } = person;
    await editor(person).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{{ HOST }} {{ NOPE }}');
    await page.getByText('Line 1: web has no own or inherited parameter named NOPE.').waitFor();
    expect(await page.locator('.cm-problem').allTextContents()).toEqual(['NOPE']);
    await page.locator('.cm-problem').hover();
    await page.locator('.cm-reason').getByText('web has no own or inherited parameter named NOPE').waitFor();
    await preview(person, 'default').getByText('NOPE, which does not exist').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  });

  journey('are hidden completely if they contain a secret, until the user reveals it', async () => {
    const { organization, createTemplate } = await createWeb();
    await createTemplate('page', 'token {{ TOKEN }}');
    const person = await signedIn(organization, '/projects/web/templates/page');
    const { page } = person;
    await preview(person, 'default').getByText('Hidden because it contains a secret').waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);

    await page.getByRole('button', { name: 'Reveal' }).click();
    await preview(person, 'default').getByText(`token ${CANARY}`).waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await preview(person, 'default').getByText('Hidden because it contains a secret').waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('ask for confirmation before an unsaved text is lost', async () => {
    const { organization, project, createTemplate } = await createWeb();
    const template = await createTemplate('page', 'stored');
    const person = await signedIn(organization, '/projects/web/templates/page');
    const { page } = person;
    await editor(person).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('more ');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Types' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await written(person)).toBe('more stored');
    // Renaming the project keeps the text in the editor.
    await page.getByText(/^Live/).waitFor();
    await organization.owner.patch(project.url, { name: 'shop' });
    await page.waitForURL(/\/projects\/shop\/templates\/page/);
    expect(await written(person)).toBe('more stored');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Types' }).click();
    await page.getByRole('button', { name: 'Leave and discard' }).click();
    await page.waitForURL(/\/types$/);

    expect(await fetchBody(organization, template)).toBe('stored');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show at once what other users save, and never overwrite it unseen', async () => {
    const { organization, createTemplate } = await createWeb();
    const template = await createTemplate('page', 'first');
    const { owner } = organization;
    const person = await signedIn(organization, '/projects/web/templates/page');
    const { page } = person;
    await preview(person, 'default').getByText('first').waitFor();
    await page.getByText(/^Live/).waitFor();
    await owner.patch(template.url, { body: 'second' });
    await preview(person, 'default').getByText('second').waitFor();
    expect(await written(person)).toBe('second');

    await editor(person).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' mine');
    await owner.patch(template.url, { body: 'theirs' });
    await page.getByRole('heading', { name: 'Someone else has saved this template' }).waitFor();
    expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    expect(await written(person)).toBe('second mine');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Rename or describe' }).waitFor();
    expect(await fetchBody(organization, template)).toBe('second mine');

    await editor(person).click();
    await page.keyboard.type('lost ');
    await owner.patch(template.url, { body: 'theirs again' });
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await written(person)).toBe('theirs again');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are rendered again when a value that they use changes', async () => {
    const { organization, createTemplate, port } = await createWeb();
    await createTemplate('page', 'listen {{ PORT }}');
    const person = await signedIn(organization, '/projects/web/templates/page');
    await preview(person, 'default').getByText('listen 80').waitFor();
    await person.page.getByText(/^Live/).waitFor();
    const { body } = await organization.owner.get<Page<{ url: string; environment_name: string }>>(
      `${port.url}values/?environment=default`,
    );
    const value = body.results.find(({ environment_name: name }) => name === 'default');
    await organization.owner.patch(value?.url ?? '', { internal_value: '8080' });

    await preview(person, 'default').getByText('listen 8080').waitFor();
  });

  journey(
    'can be edited by keyboard alone: Tab indents, Escape and Tab leave, and shortcuts of the page are inactive',
    async () => {
      const { organization, createTemplate } = await createWeb();
      await createTemplate('page', 'x');
      const person = await signedIn(organization, '/projects/web/templates/page');
      const { page } = person;
      await editor(person).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.type('?');
      expect(await written(person)).toBe('  ?x');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');

      expect(await page.locator('[data-editor]').evaluate((host) => host.matches(':focus-within'))).toBe(false);
      expect(await written(person)).toBe('  ?x');
    },
  );

  journey('are renamed and deleted only while no text includes them', async () => {
    const { organization, createTemplate } = await createWeb();
    await createTemplate('head', 'x');
    await createTemplate('page', '{{ strata.templates.head }}');
    const person = await signedIn(organization, '/projects/web/templates/head');
    const { page } = person;
    await page.getByRole('button', { name: 'Rename or describe' }).click();
    await page.getByLabel('Name').fill('top');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    await page.getByLabel('Name').fill('head');
    await page.getByLabel('Description').fill('Above every page');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save name and description' }).click();
    await page.getByText('Above every page · a template of').waitFor();

    await page.goto('/projects/web/templates/page');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page.waitForURL(/templates$/);
    await page.getByRole('link', { name: 'head', exact: true }).waitFor();
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['head']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show earlier versions line by line', async () => {
    const { organization, createTemplate } = await createWeb();
    const template = await createTemplate('page', 'one\ntwo\nthree');
    const { headers } = await organization.owner.patch(template.url, { body: 'one\n2\nthree' });
    const person = await signedIn(organization, '/projects/web/templates/page', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('changed', { exact: true }).waitFor();

    const latest = page.getByRole('main').getByRole('listitem').first();
    expect(await latest.getByRole('deletion').allTextContents()).toEqual(['− two\n']);
    expect(await latest.getByRole('insertion').allTextContents()).toEqual(['+ 2\n']);
    await latest.getByRole('link', { name: `revision ${headers['x-revision']}` }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('remain responsive with a hundred thousand characters', async () => {
    const { organization, createTemplate } = await createWeb();
    const line = 'listen {{ PORT }}; # as it stands in every line of this long file\n';
    const template = await createTemplate('long', line.repeat(1_550));
    const person = await signedIn(organization, '/projects/web/templates/long');
    const { page } = person;
    await preview(person, 'default').getByText('listen 80;').waitFor();
    await editor(person).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('the end {{ PORT }}');
    await preview(person, 'default').getByText('the end 80').waitFor();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('insertion').getByText('the end').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Rename or describe' }).waitFor();

    expect((await fetchBody(organization, template)).endsWith('the end {{ PORT }}')).toBe(true);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are read-only for a viewer', async () => {
    const { organization, createTemplate } = await createWeb();
    await createTemplate('page', 'listen {{ PORT }}');
    const person = await signedIn(organization, '/projects/web/templates/page', { role: 'VIEWER' });
    const { page } = person;
    await preview(person, 'default').getByText('listen 80').waitFor();
    await editor(person).click();
    await page.keyboard.type('more');

    expect(await written(person)).toBe('listen {{ PORT }}');
    for (const name of ['Review and save', 'Rename or describe', 'Delete']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const { organization, createTemplate } = await createWeb();
    await createTemplate('page', 'listen {{ PORT }} on {{ HOST }}\n{% if PORT == "80" %}plain{% endif %}');
    const person = await signedIn(organization, '/projects/web/templates');
    const { page } = person;
    await page.getByRole('link', { name: 'page', exact: true }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('link', { name: 'page', exact: true }).click();
    await preview(person, 'default').getByText('listen 80 on base.example').waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
