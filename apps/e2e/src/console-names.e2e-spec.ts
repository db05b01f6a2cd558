import type { TestOrganization } from '@strata/testkit';
import type { Page } from 'playwright-core';
import { findBidiProblems } from './console-bidi-problems.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo } from './console-platform.ts';
import { placeholderName, storeName } from './stored-names.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Creates a project, an environment and a parameter with the same name, and a value. */
async function createNamed(organization: TestOrganization, name: string, value = 'a value'): Promise<number> {
  const environment = await organization.environmentNamed('default');
  const operations = [
    { operation: 'projects_create', body: { name, description: name } },
    { operation: 'environments_create', body: { name, description: name, parent: environment.id } },
    { set: { project: name, environment: name, create_missing: true, values: { [name]: value } } },
  ];
  return applyChangesetTo(organization, operations, `All of it is called ${name}`);
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Returns the row of an object in the list of projects or environments. */
const listed = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('link')
    .filter({ has: page.getByText(name, { exact: true }) });

describe(`names in the console${reason}`, () => {
  journey.each(['.', '..', '~.', 'a/b', '100%', 'a#b?c', 'a%2Fb', 'new'])(
    'with special characters open the right page, also after a reload: %s',
    async (name) => {
      const organization = await core().organization();
      await createNamed(organization, name);
      const person = await signedIn(organization, '/projects');
      const { page } = person;
      const main = page.getByRole('main');
      await listed(page, name).click();
      for (const visit of ['first', 'again']) {
        await title(page, name).waitFor();
        await page.getByRole('rowheader').filter({ hasText: name }).waitFor();
        if (visit === 'first') await page.reload();
      }
      await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Access' }).waitFor();
      await page.reload();
      await main.getByRole('rowheader', { name, exact: true }).getByRole('link').click();
      await page.getByRole('link', { name: 'Rules', exact: true }).waitFor();
      await page.reload();
      await title(page, name).waitFor();
      await main.getByRole('link', { name: 'History', exact: true }).click();
      await page.getByText('created the parameter').waitFor();

      await page.goto('/environments');
      await listed(page, name).click();
      await page.getByRole('heading', { name: 'Tags' }).waitFor();
      await page.reload();
      await title(page, name).waitFor();
      await page.getByRole('heading', { name: 'Tags' }).waitFor();
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey(
    'with bidirectional control characters are escaped, and right-to-left names do not affect the text beside them',
    async () => {
      const organization = await core().organization();
      // A bidirectional override, the end of an isolate, and right-to-left letters.
      const name = 'good\u202Egpj\u2069\u05d0\u05d1\u05d2';
      const placeholder = placeholderName();
      const revision = await createNamed(organization, placeholder, `${name} as a text`);
      await storeName(core().database.url, placeholder, name);
      await organization.owner.post('groups/', { name: 'anyone', users: [] });
      const person = await signedIn(organization, '/projects', { role: 'OWNER' });
      const { page } = person;
      const shownName = page.getByText('good⟨U+202E⟩gpj⟨U+2069⟩אבג').first();
      await shownName.waitFor();
      const part = encodeURIComponent(name);
      const settings = `/projects/${part}/settings`;
      /** The paths of the pages, with a text that each page contains once it is complete. */
      const pages: Readonly<Record<string, string>> = {
        '/projects': 'gpj',
        [`/projects/${part}`]: 'as a text',
        [`/projects/${part}?cell=${part}&in=${part}`]: 'created the parameter',
        [`${settings}?do=copy`]: 'Grants are not copied.',
        [`${settings}?do=delete`]: 'Its parameters, values and templates are deleted with it.',
        [`/projects/${part}/parameters/${part}`]: 'None of its own',
        [`/projects/${part}/parameters/${part}/rules`]: 'No rules: ',
        [`/projects/${part}/history/${part}`]: 'created the parameter',
        [`/projects/${part}/export?env=${part}`]: 'Not valid variable names',
        '/access/audit': 'Revision',
        '/environments': 'set here',
        [`/environments/${part}`]: 'No tags yet.',
        [`/environments/${part}?do=move`]: 'Inherits from',
        [`/environments/${part}?do=create`]: 'Inherits from',
        [`/history/environments/${part}`]: 'All of it is called',
        '/history': 'All of it is called',
        [`/history/${revision}`]: 'Changed objects',
        '/search?q=gpj': 'as a text',
        [`/compare?project=${part}&left=default&right=${part}`]: 'as a text',
      };
      const problems: Record<string, readonly string[]> = {};
      for (const [address, expectedText] of Object.entries(pages)) {
        await person.open(address);
        await page.getByRole('main').getByText(expectedText).first().waitFor();
        await shownName.waitFor({ state: 'attached' });
        problems[address] = await findBidiProblems(page);
      }
      expect(problems).toEqual(Object.fromEntries(Object.keys(pages).map((address) => [address, []])));
      await person.open(`/projects/${part}`);
      await page.getByRole('gridcell').filter({ hasText: 'as a text' }).first().click();
      await page.keyboard.press('Delete');
      await page.getByRole('region', { name: 'Drafts' }).getByRole('link', { name: 'Review' }).click();
      await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
      expect(await findBidiProblems(page)).toEqual([]);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('gpj');
      await page.getByRole('option').first().waitFor();
      expect(await findBidiProblems(page)).toEqual([]);
      expect(await person.allErrors()).toEqual([]);
    },
  );
});
