import { randomUUID } from 'node:crypto';
import type { Effective, Page, RecordedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type ConsolePerson, LOOKS } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;
const SOURCE = `# the shop
PORT=8080
DB_PASSWORD=${CANARY}
PORT=8443
this is no assignment ${CANARY}
EMPTY=
LINK=http://\${PORT}/
`;

/** Pastes a text through the clipboard of the page, as a user does. */
const paste = (person: ConsolePerson, text: string) => person.paste(person.page.getByLabel('Each line becomes'), text);

async function findProjectId(organization: TestOrganization, project: string): Promise<string> {
  const { body } = await organization.owner.get<Page<{ id: string }>>(`projects/?name=${project}`);
  return body.results[0]?.id ?? '';
}

describe(`a new organization in the console${reason}`, () => {
  journey('asks for another project name if the first one is taken, and keeps the selected environment', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'shop' });
    const person = await signedIn(organization, '/start');
    const { page } = person;
    await paste(person, 'PORT=8443\n');
    await page.getByLabel('Project name').fill('shop');
    await page.getByLabel('Set in').selectOption('production');
    await page.getByRole('button', { name: 'Create project with 1 parameter' }).click();
    const errorAlert = page.getByRole('main').getByRole('alert');
    await errorAlert.waitFor();

    expect(await errorAlert.getByRole('listitem').count()).toBe(1);
    expect(await errorAlert.textContent()).not.toContain('rejected operation would have created');
    expect(await page.getByLabel('Set in').inputValue()).toBe('production');
    await page.getByLabel('Project name').fill('shop2');
    await page.getByRole('button', { name: 'Create project with 1 parameter' }).click();
    await page.waitForURL('**/projects/shop2');
    const { body } = await organization.owner.get<Effective>(
      `projects/${await findProjectId(organization, 'shop2')}/effective/?environment=staging`,
    );
    expect(body.values.PORT ?? null).toBeNull();
  });

  journey('creates its first project from a .env file after a preview of each line, as one changeset', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/');
    const { page } = person;
    await page.getByRole('heading', { name: 'Paste a .env file' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    await paste(person, SOURCE);
    await page.getByText('4 parameters; 1 line skipped. Secret: DB_PASSWORD (named like a credential).').waitFor();
    await page.getByText('Integer: PORT.').waitFor();
    expect(await page.getByRole('row').nth(1).textContent()).toBe('5Skipped: expected NAME=value');
    expect(await page.getByText('overridden by line 4').count()).toBe(1);
    expect(await page.getByText('named like a credential', { exact: true }).count()).toBe(1);
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.getByLabel('Project name').fill('shop');
    await page.getByText('Line 7: LINK refers to PORT').waitFor();
    await page.getByLabel('Resolve references').check();
    await page.getByRole('button', { name: 'Create project with 4 parameters' }).click();
    await page.waitForURL('**/projects/shop');
    await person.row('PORT').waitFor();

    expect((await person.announced('PORT'))[0]).toContain('8443');
    expect((await person.announced('DB_PASSWORD'))[0]).toContain('secret');
    const { body } = await organization.owner.get<Effective>(
      `projects/${await findProjectId(organization, 'shop')}/effective/?environment=production`,
    );
    expect(body.values).toEqual({ PORT: '8443', DB_PASSWORD: CANARY, EMPTY: '', LINK: 'http://8443/' });
    const written = await organization.owner.get<Page<RecordedChangeset>>('changesets/?q=env file');
    expect(written.body.results).toMatchObject([{ message: 'shop from a .env file', surface: 'graphql' }]);
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('imports a .env file into an empty project if the user may write there', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'shop' });
    const reader = await signedIn(organization, '/projects/shop', { role: 'VIEWER' });
    await reader.page.getByRole('heading', { name: 'No parameters yet' }).waitFor();
    expect(await reader.page.getByRole('heading', { name: 'Paste a .env file' }).count()).toBe(0);

    const person = await signedIn(organization, '/projects/shop');
    await person.page.getByRole('heading', { name: 'Paste a .env file' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await paste(person, SOURCE);
    await person.page.getByLabel('Keep them as text').check();
    await person.page.getByRole('button', { name: 'Add 4 parameters' }).click();
    await person.page.getByRole('heading', { name: 'Paste a .env file' }).waitFor({ state: 'detached' });
    await person.row('PORT').waitFor();

    expect((await person.announced('PORT'))[0]).toContain('8443');
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows at the line why it cannot be stored, and stores nothing', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'shop' });
    const person = await signedIn(organization, '/start');
    const { page } = person;
    await page.getByLabel('Each line becomes').fill('A=1');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByLabel('Project name').fill('shop');
    await page.getByRole('button', { name: 'Create project with 1 parameter' }).click();

    await page
      .getByRole('alert')
      .filter({ hasText: /already|exists|taken/i })
      .waitFor();

    const { body } = await organization.owner.get<Page<unknown>>(
      `projects/${await findProjectId(organization, 'shop')}/parameters/`,
    );
    expect(body.count).toBe(0);
    expect(await person.accessibilityViolations()).toEqual([]);
  });

  journey('loads the sample platform, also after an interruption, and loading it again changes nothing', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/', { role: 'ADMIN' });
    const { page } = person;
    // Holds the request of the fourth part, so that the page is reloaded while the platform is being loaded.
    let changesets = 0;
    await page.route('**/graphql', async (route) => {
      const isApplying = (route.request().postData() ?? '').includes('"operationName":"ApplyChangeset"');
      changesets += isApplying ? 1 : 0;
      if (!isApplying || changesets < 4) await route.fallback();
    });
    await page.getByRole('button', { name: 'Load sample platform' }).click();
    await page.getByText(/Loading [\w-]+ … 4 of 10/).waitFor();
    await page.reload();
    await page.unrouteAll();
    await page.goto('/start');
    await page.getByRole('button', { name: 'Load sample platform' }).click();
    await page.waitForURL('**/projects/postgresql');
    await person.row('archive_mode').waitFor();
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');

    await page.goto('/start');
    await page.getByRole('button', { name: 'Load sample platform' }).click();
    await page.waitForURL('**/projects/postgresql');

    const after = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');
    expect(after.body.results[0]?.revision).toBe(body.results[0]?.revision);
    const projects = await organization.owner.get<Page<{ name: string }>>('projects/');
    const projectNames = ['platform-base', 'postgresql', 'valkey', 'keycloak', 'grafana', 'traefik', 'housekeeping'];
    expect(projects.body.results.map(({ name }) => name)).toEqual(expect.arrayContaining(projectNames));
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows a viewer where the projects are, once there are some', async () => {
    const organization = await core().organization();
    const project = await organization.project({ name: 'shop' });
    await organization.parameter({ project });
    const { page } = await signedIn(organization, '/start', { role: 'VIEWER' });

    await page.getByText('You can read projects but not create them.').waitFor();
    await page.getByText('All projects are listed under').waitFor();
    expect(await page.getByRole('heading', { name: 'No projects yet' }).count()).toBe(0);
  });

  journey('explains to a viewer that other users create the first project', async () => {
    const person = await signedIn(await core().organization(), '/', { role: 'VIEWER' });

    await person.page.getByRole('heading', { name: 'No projects yet' }).waitFor();

    expect(await person.page.getByRole('button', { name: 'Load sample platform' }).count()).toBe(0);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(['dark', 'at 375 px'])('shows the preview accessibly: %s', async (lookName) => {
    const person = await signedIn(await core().organization(), '/start', { look: LOOKS[lookName] ?? {} });
    await paste(person, SOURCE);
    await person.page.getByText('Secret: DB_PASSWORD').waitFor();

    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.isWiderThanScreen()).toBe(false);
    expect(await person.allErrors()).toEqual([]);
  });
});
