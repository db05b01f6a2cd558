import type { RecordedChangeset, Page as Rows } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { Route } from 'playwright-core';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());
const STAGING = 3;

const drafts = ({ page }: ConsolePerson) => page.getByRole('region', { name: 'Drafts' });
const staged = (person: ConsolePerson, text: string) => drafts(person).getByText(text, { exact: true });
const review = ({ page }: ConsolePerson) => page.getByRole('link', { name: 'Review' }).click();

/** Intercepts the next request that applies drafts. */
async function interceptApply({ page }: ConsolePerson, answer: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true;
  await page.route('**/graphql', async (route) => {
    const isApplying = (route.request().postData() ?? '').includes('"operationName":"ApplyChangeset"');
    if (!isApplying || !isFirst) return route.fallback();
    isFirst = false;
    return answer(route);
  });
}

const written = async (organization: TestOrganization, message: string): Promise<number> =>
  (await organization.owner.get<Rows<RecordedChangeset>>(`changesets/?q=${message}`)).body.results.length;

/** Holds back the responses to some requests until the returned function is called. */
async function holdBack({ page }: ConsolePerson, isHeld: (route: Route) => boolean): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    if (isHeld(route)) await promise;
    await route.fallback();
  });
  return resolve;
}

describe(`applying drafts${reason}`, () => {
  journey('takes one key, and the focus returns to the last cell of the grid, with the filter', async () => {
    const { organization, web } = await platform();
    const values = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`KEY_${1_000 + at}`, 'old']));
    await organization.owner.put(`${web.url}values/?environment=default`, { values, create_missing: true });
    const person = await signedIn(organization, '/projects/web?q=KEY_');
    const { page } = person;
    const focused = page.locator('[role="gridcell"]:focus');
    await focused.waitFor();
    await page.keyboard.press('Control+End');
    await person.row('KEY_1299').waitFor();
    await person.write('KEY_1298', STAGING, 'new');
    await review(person);
    await page.getByRole('button', { name: 'Apply this change' }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('Control+Enter');
    await person.applied();
    // Enter in the editor has moved to the next row.
    await person.row('KEY_1299').locator('[role="gridcell"]:focus').waitFor();

    expect(new URL(page.url()).search).toBe('?q=KEY_');
    expect(await focused.getAttribute('data-column')).toBe(String(STAGING));
    await page.keyboard.press('ArrowUp');
    await person.row('KEY_1298').locator('[role="gridcell"]:focus', { hasText: 'new' }).waitFor();
    await page.getByLabel('Filter by name or value').fill('KEY_1298');
    await page.waitForURL('**/projects/web?q=KEY_1298');
    await person.applied();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^(project )?web$/ });
    expect(await links.count()).toBe(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('opens the current matrix, also after the user has looked at an earlier revision', async () => {
    const { organization, web } = await platform();
    const { headers } = await organization.owner.get(web.url);
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.write('GREETING', STAGING, 'good evening');
    await page.goto(`/projects/web?q=GREE&at=r${headers['x-revision']}`);
    await page.getByText('(read-only)').waitFor();
    await person.row('GREETING').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Review drafts');
    await page.getByRole('option', { name: 'Review drafts', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Back to editing' }).click();
    await staged(person, '1 change').waitFor();

    expect(new URL(page.url()).search).toBe('?q=GREE');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is not disturbed by a page that loads slowly', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/account');
    const { page } = person;
    await page.getByRole('radio', { name: 'Dark' }).check();
    const start = await holdBack(person, (route) => /assets\/.*\.js$/.test(new URL(route.request().url()).pathname));
    await page.goto('/projects/web', { waitUntil: 'commit' });
    await page.getByText('Loading Strata …').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    const answer = await holdBack(person, (route) => (route.request().postData() ?? '').includes('"Matrix'));
    start();
    await page.getByLabel('Filter by name or value').fill('GREE');
    answer();
    await person.row('GREETING').waitFor();

    expect(await page.getByText('Loading Strata …').isVisible()).toBe(false);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Filter by name or value');
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(['GREETING', 'TOKEN'])(
    'keeps what is typed into the same cell meanwhile, without a conflict: %s',
    async (name) => {
      const { organization, web } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const { page } = person;
      await person.write(name, STAGING, 'first-text');
      await review(person);
      let answered: () => void = () => {};
      const isAnswered = new Promise<void>((resolve) => {
        answered = resolve;
      });
      await interceptApply(person, async (route) => {
        await isAnswered;
        await route.continue();
      });
      await person.apply();
      await page.getByRole('link', { name: 'Back to editing' }).click();
      await person.write(name, STAGING, 'second-text');
      // Once the drafts are applied, the console reads their cells at the new revision.
      const isReadAgain = page.waitForResponse((response) => /"revision":\d/.test(response.request().postData() ?? ''));
      answered();
      await isReadAgain;

      await staged(person, '1 change').waitFor();
      await drafts(person).getByText('1 conflict').waitFor({ state: 'detached' });
      await review(person);
      await person.apply();
      await person.applied();
      const { body } = await organization.owner.get<{ values: Record<string, string> }>(
        `${web.url}effective/?environment=staging`,
      );
      expect(body.values[name]).toBe('second-text');
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey(
    'repeats the request when the response is cut off, so that the drafts are applied once and can be undone',
    async () => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const { page } = person;
      await person.write('GREETING', STAGING, 'good evening');
      await person.write('TOKEN', STAGING, 'another-canary');
      await interceptApply(person, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        await route.fulfill({ response, body: text.slice(0, text.length / 2) });
      });
      await review(person);
      await page.getByLabel('Reason').fill('cut-in-the-middle');
      await person.apply();
      await person.applied();

      expect(await written(organization, 'cut-in-the-middle')).toBe(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/^Undone \(revision \d+\)\.$/).waitFor();
      person.clearErrors();
    },
  );

  journey(
    'reports an unknown outcome when the response is lost, and repeating it does not apply the drafts twice',
    async () => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const { page } = person;
      await person.write('GREETING', STAGING, 'good evening');
      await person.write('TOKEN', STAGING, 'another-canary');
      await review(person);
      await page.getByLabel('Reason').fill('lost-answer');
      await interceptApply(person, async (route) => {
        await route.fetch();
        await page.context().setOffline(true);
        await route.abort('connectionreset');
      });
      await person.apply();
      await page.getByRole('alert').filter({ hasText: 'We don’t know yet whether this was applied' }).waitFor();
      await page.context().setOffline(false);
      await page.getByLabel('Reason').fill('said otherwise meanwhile');
      await person.apply();
      await person.applied();

      expect(await written(organization, 'lost-answer')).toBe(1);
      expect(await written(organization, 'said otherwise')).toBe(0);
      person.clearErrors();
    },
  );
});

describe(`discarded drafts${reason}`, () => {
  journey('can be restored, including secrets, with Ctrl+Z and on the review page', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.write('GREETING', STAGING, 'good evening');
    await person.write('TOKEN', STAGING, 'another-canary');
    await drafts(person).getByRole('button', { name: 'Discard' }).click();
    await staged(person, 'Discarded 2 changes').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Control+z');
    await staged(person, '2 changes').waitFor();

    await review(person);
    await page.getByRole('button', { name: 'Discard the change of GREETING in staging' }).click();
    await page.getByRole('button', { name: 'Discard the change of TOKEN in staging' }).click();
    await page.getByText('Discarded 1 change').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('a new secret').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey.each(['/review', '/projects', '/history'])(
    'require a confirmation where leaving %s would lose a secret',
    async (to) => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const { page } = person;
      await person.write('TOKEN', STAGING, 'another-canary');
      const place = { '/review': 'Review', '/projects': 'Projects', '/history': 'History' }[to] ?? '';
      await page.getByRole('link', { name: place, exact: true }).first().click();
      await page.waitForURL(`**${to}`);
      const dialogOpened = page.waitForEvent('dialog');
      void page.reload().catch(() => {});
      const dialog = await dialogOpened;

      expect(dialog.type()).toBe('beforeunload');
      await dialog.accept();
    },
  );
});
