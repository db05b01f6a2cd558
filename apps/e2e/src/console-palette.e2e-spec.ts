import { randomUUID } from 'node:crypto';
import type { AppliedChangeset } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

/** Creates a web shop, and a bank with other names. */
async function createProjects() {
  const organization = await core().organization();
  const project = (name: string) => ({ operation: 'projects_create', body: { name } });
  const set = (name: string, values: object) => ({
    set: { project: name, environment: 'default', create_missing: true, values },
  });
  const { status, text, body } = await organization.owner.post<AppliedChangeset>('changesets/', {
    message: 'A shop and a bank',
    operations: [
      project('web-shop'),
      project('bank'),
      set('web-shop', { LISTEN_PORT: '8443', GREETING: 'Good (morning)', TOKEN: { value: CANARY, secret: true } }),
      set('bank', { ACCOUNTS_URL: 'https://accounts.example' }),
    ],
  });
  if (status !== 201) throw new Error(text);
  return { organization, revision: body.revision };
}

describe(`the command palette of the console${reason}`, () => {
  journey('opens a parameter by a part of its name, without a mouse', async () => {
    const { organization } = await createProjects();
    const person = await signedIn(organization, '/history');
    const { page } = person;
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('listen_p');
    await page.getByRole('option', { name: /^LISTEN_PORT/ }).waitFor();
    await page.keyboard.press('Enter');

    await page.waitForURL(/\/projects\/web-shop\?/);
    await page.getByRole('complementary').getByRole('heading', { name: 'LISTEN_PORT' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('ranks an exact name above names that only contain the query', async () => {
    const { organization } = await createProjects();
    const values = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((at) => [`${at}_PORT`, '1']));
    const set = { project: 'web-shop', environment: 'default', create_missing: true, values: { ...values, PORT: '2' } };
    await organization.owner.post('changesets/', { operations: [{ set }] });
    const { page } = await signedIn(organization, '/projects');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('port');
    await page.getByRole('option', { name: /^A_PORT/ }).waitFor();

    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^PORTweb-shop/);
  });

  journey('finds a text regardless of case and accents, and never a secret', async () => {
    const { organization } = await createProjects();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('button', { name: 'Search' }).click();
    const searchField = page.getByRole('dialog').getByRole('combobox');
    await searchField.fill('good (m');
    await page.getByRole('option', { name: /^GREETING.*Good \(morning\)/ }).waitFor();
    await searchField.fill(CANARY.slice(0, 12));
    await page.getByText('Secret values are not searched.').waitFor();
    await searchField.fill('token');
    await page.getByRole('option', { name: /^TOKEN/ }).waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('finds pages by common synonyms, and projects, environments, changesets and revisions', async () => {
    const { organization, revision } = await createProjects();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('button', { name: 'Search' }).waitFor();
    const close = async () => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    };
    const first = async (searchText: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(searchText);
      const option = page.getByRole('dialog').getByRole('option', { selected: true });
      await option.waitFor();
      return option;
    };
    expect(await (await first('rollback')).textContent()).toBe('History');
    await close();
    expect(await (await first('shop')).textContent()).toBe('web-shop');
    await close();
    expect(await (await first('stag')).textContent()).toBe('staginginherits from default');
    await close();
    expect(await (await first('new environment')).textContent()).toBe('Create environment');
    await close();
    expect(await (await first('access')).textContent()).toBe('People and invitations');
    await close();
    await (await first('download shop')).click();
    await page.getByLabel('Format').waitFor();
    // The pages of the current project are listed first.
    await (await first('import')).click();
    await page.waitForURL(/projects\/web-shop\/import$/);
    expect(await (await first('shop AND')).textContent()).toMatch(/^A shop and a bankrevision \d+ by /);
    await close();
    await (await first(`r${revision}`)).click();
    await page.getByRole('heading', { name: 'A shop and a bank' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('offers a viewer no action that is forbidden', async () => {
    const { organization } = await createProjects();
    const titles = async (role: string) => {
      const { page } = await signedIn(organization, '/projects', { role });
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('option').first().waitFor();
      return page.getByRole('option').allTextContents();
    };
    expect(await titles('CONTRIB')).toContain('Create project');
    expect(await titles('VIEWER')).not.toContain('Create project');
  });

  journey('links to all results, which have a URL', async () => {
    const { organization } = await createProjects();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('8443');
    await page.getByRole('option', { name: 'All parameters and values with “8443”' }).click();
    await page.getByText('1 parameter.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/search');
    await page.reload();
    await page.getByRole('link', { name: 'web-shop LISTEN_PORT' }).waitFor();
    expect(await page.getByRole('main').getByRole('code').allTextContents()).toEqual(['8443']);

    await page.getByLabel('Search in').selectOption('name');
    await page.getByRole('button', { name: 'Search', exact: true }).last().click();
    await page.getByText('No results. Secret values are not searched.').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows matching names while values are searched, and all results in the end', async () => {
    const { organization } = await createProjects();
    const values = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`MANY_${at}`, `8443 ${at}`]));
    const set = { project: 'bank', environment: 'default', create_missing: true, values };
    await organization.owner.post('changesets/', { operations: [{ set }] });
    const person = await signedIn(organization, '/search');
    const { page } = person;
    const gate = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"in":["value"]')) await gate.promise;
      await route.continue();
    });
    const status = page.getByRole('main').getByRole('status').first();
    const search = async (searchText: string) => {
      await page.getByLabel('Search for').fill(searchText);
      await page.keyboard.press('Enter');
    };
    await search('listen_PORT');
    await page.getByRole('link', { name: 'web-shop LISTEN_PORT' }).waitFor();
    expect(await status.textContent()).toBe('1 parameter so far.');
    await search('8443');
    await status.getByText('Searching …').waitFor();
    gate.resolve();
    await status.getByText('50 parameters so far.').waitFor();
    await page.getByRole('link', { name: 'bank MANY_35' }).scrollIntoViewIfNeeded();
    await page.getByRole('link', { name: 'bank MANY_80' }).scrollIntoViewIfNeeded();
    await status.getByText('121 parameters.').waitFor();
    await search('many_');
    await status.getByText('50 parameters so far.').waitFor();
    expect(await page.getByRole('main').getByRole('listitem').first().textContent()).toContain('MANY_0');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('searches values on, if the first pages contain no results', async () => {
    const { organization } = await createProjects();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    let pages = 0;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/graphql', async (route) => {
      const data = route.request().postData() ?? '';
      if (!data.includes('"in":["value"]')) return route.continue();
      const gate = gates[pages++];
      // The cursor of the pages without results stands for the beginning.
      const postData = data.replace('"after":"beginning"', '"after":null');
      if (!gate) return route.continue({ postData });
      await gate.promise;
      const response = await route.fetch({ postData });
      const { data: searchResponse } = (await response.json()) as { data: { search: object } };
      const search = { ...searchResponse.search, results: [], cursor: 'beginning' };
      return route.fulfill({ response, json: { data: { search } } });
    });
    await page.getByRole('button', { name: 'Search' }).click();
    const note = page.getByRole('dialog').getByRole('status');
    await page.getByRole('dialog').getByRole('combobox').fill('accounts.ex');
    for (const gate of gates) {
      await note.getByText('Searching values …').waitFor();
      expect(await page.getByText('No results').count()).toBe(0);
      gate.resolve();
    }
    await page.getByRole('option', { name: /^ACCOUNTS_URL/ }).waitFor();
    expect(pages).toBe(3);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('says that a search failed', async () => {
    const { organization } = await createProjects();
    const { page } = await signedIn(organization, '/projects');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('"operationName":"SearchChangesets"')
        ? route.fulfill({ status: 503, json: { errors: [{ message: 'The database is down.' }] } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('nothing-like-this');
    const note = page.getByRole('dialog').getByRole('status');
    await note.getByText('Searching').waitFor({ state: 'detached' });
    expect(await note.textContent()).not.toContain('No results');
  });

  journey('shows what can be searched before the user types', async () => {
    const { organization } = await createProjects();
    const { page } = await signedIn(organization, '/search');
    await page.getByText('Secret values are not searched.').waitFor();
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization } = await createProjects();
    const person = await signedIn(organization, '/search?q=e');
    await person.page.getByText(/parameters\.$/).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await person.page.getByRole('button', { name: 'Search' }).first().click();
    await person.page.getByRole('dialog').getByRole('combobox').fill('po');
    await person.page.getByRole('option', { name: /^LISTEN_PORT/ }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
