import type { PutValuesAnswer } from '@strata/contract';
import { LOOKS } from './console-browser.ts';
import { holdRequests } from './console-held-requests.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, , PRODUCTION, STAGING] = [0, 1, 2, 3];

describe(`the matrix of a project in the console${reason}`, () => {
  journey('distinguishes the source and the kind of each value visually and for screen readers', async () => {
    const { organization, secret } = await platform();
    const person = await signedIn(organization, '/projects/web');
    await person.cell('GREETING', PRODUCTION).waitFor();

    const origin = (name: string, column: number) => person.cell(name, column).getAttribute('data-origin');
    expect(await origin('GREETING', DEFAULT)).toBe('own');
    expect(await origin('GREETING', PRODUCTION)).toBe('override');
    expect(await origin('GREETING', STAGING)).toBe('inherited');
    expect(await origin('REGION', DEFAULT)).toBe('project');
    expect(await origin('UNSET', DEFAULT)).toBe('missing');
    expect(await person.announced('GREETING')).toEqual([
      'hello',
      'hello, inherited from default',
      'good day, set here',
      'hello, inherited from default',
    ]);
    expect((await person.announced('TOKEN'))[STAGING]).toBe('secret , inherited from default');
    expect((await person.announced('LINK'))[PRODUCTION]).toBe('dynamic: http://good day, inherited from default');
    expect((await person.announced('NOTHING'))[DEFAULT]).toBe('null');
    expect((await person.announced('BLANK'))[DEFAULT]).toBe('empty');
    expect((await person.announced('UNSET'))[DEFAULT]).toBe('not set');
    expect((await person.announced('REGION'))[STAGING]).toBe('north, from project base in default');
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('supports navigation and editing by keyboard, like a spreadsheet', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    const [operations, press] = [person.recordOperations(), (key: string) => page.keyboard.press(key)];
    await person.cell('GREETING', DEFAULT).click();

    await press('ArrowRight');
    await press('End');
    await press('ArrowDown');
    expect(await page.locator(':focus').getAttribute('data-column')).toBe(String(STAGING));
    await press('Control+Home');
    await press('Control+End');
    await page.locator('[data-row="7"] :focus').waitFor();

    await press('Control+Home');
    const focused = () => page.locator(':focus');
    await page.keyboard.type('fresh');
    await press('Tab');
    expect(await focused().getAttribute('data-column')).toBe('1');
    await press('Enter');
    await page.keyboard.type('never');
    await press('Escape');
    expect(await person.announced('BLANK')).toEqual([
      'fresh, draft (was empty, set here)',
      'fresh, will inherit from default (was empty, inherited)',
      'fresh, will inherit from default (was empty, inherited)',
      'fresh, will inherit from default (was empty, inherited)',
    ]);
    await press('Control+z');
    expect((await person.announced('BLANK'))[DEFAULT]).toBe('empty');
    await press('Control+Shift+Z');
    expect((await person.announced('BLANK'))[DEFAULT]).toBe('fresh, draft (was empty, set here)');
    await person.cell('GREETING', PRODUCTION).click();
    await press('Delete');
    expect((await person.announced('GREETING'))[PRODUCTION]).toBe('inherited: hello, draft (was good day, set here)');
    await person.cell('PORT', DEFAULT).click();
    await press('Delete');
    expect((await person.announced('PORT')).slice(0, 2)).toEqual([
      'will be removed, draft (was 80, set here), 4 environments lose their value',
      'will be removed, because of the draft in default (was 80, inherited)',
    ]);
    expect(await person.accessibilityViolations()).toEqual([]);
    await person.cell('GREETING', PRODUCTION).click();
    await press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape');
    expect(await focused().getAttribute('data-column')).toBe(String(PRODUCTION));
    await press('/');
    expect(await focused().getAttribute('type')).toBe('search');
    // Drafts are not sent to the server.
    expect(operations.filter((name) => name === 'ApplyChangeset')).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'highlights the source of the cell under the pointer, and describes where, when and by whom it was set',
    async () => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      await person.cell('GREETING', STAGING).hover();

      await person.page.getByText(/^GREETING in staging is inherited from default · since .* by /).waitFor();
      expect(await person.cell('GREETING', DEFAULT).getAttribute('data-source')).toBe('true');
      await person.cell('REGION', STAGING).hover();
      await person.page.getByText(/^REGION in staging is from project base, set in default · since /).waitFor();
      await person.cell('GREETING', PRODUCTION).focus();
      await person.page.mouse.move(0, 0);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('shows that an environment is forbidden, and nothing of its values', async () => {
    const { organization } = await platform();
    const production = await organization.environmentNamed('production');
    await organization.owner.patch(production.url, { access_controlled: true });
    const person = await signedIn(organization, '/projects/web');
    await person.row('GREETING').waitFor();

    expect((await person.announced('GREETING'))[PRODUCTION]).toBe('no access');
    expect(await person.everythingReadable()).not.toContain('good day');
    await person.cell('GREETING', PRODUCTION).click();
    await person.page.keyboard.press('Delete');
    await person.page.getByText('You don’t have access to production.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be filtered by name and by value, except for secret values', async () => {
    const { organization, secret } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const field = person.page.getByLabel('Filter by name or value');
    const count = (text: string) => person.page.getByText(text, { exact: true }).waitFor();
    await person.row('PORT').waitFor();
    await count('8 parameters');

    // Until the filtered rows arrive, the number of the rows before is not shown as theirs.
    const release = await holdRequests(person, 'MatrixPart');
    await field.fill('GOOD day');
    await person.page.getByRole('search').getByText('Filtering …').waitFor();
    expect(await person.page.getByRole('search').getByRole('status').allTextContents()).toEqual(['Filtering …']);
    expect(await person.page.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    release();
    // The value of GREETING in production matches, and so does LINK, which references it.
    await count('2 parameters found');
    await field.fill(secret);
    await person.page.getByRole('heading', { name: 'No matching parameters' }).waitFor();
    await person.page.getByRole('button', { name: 'Show all parameters' }).click();
    await person.page.getByLabel('Missing').check();
    await count('1 parameter found');
    expect(await person.announced('UNSET')).toContain('not set');
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'keeps only the visible rows of 10,000 parameters, and sends at most four requests for a screen',
    async () => {
      const organization = await core().organization();
      const project = await organization.project({ name: 'large' });
      const production = await organization.environmentNamed('production');
      await organization.environment({ name: 'canary', parent: production.url });
      const names = Array.from({ length: 10_000 }, (_, at) => `P${String(at).padStart(5, '0')}`);
      for (const part of [names.slice(0, 5_000), names.slice(5_000)]) {
        const values = Object.fromEntries(part.map((name) => [name, `value of ${name}`]));
        const path = `${project.url}values/?environment=default`;
        const { status } = await organization.owner.put<PutValuesAnswer>(path, { values, create_missing: true });
        expect(status).toBe(200);
      }
      const person = await signedIn(organization, '/projects/large');
      const { page } = person;
      await person.row('P00000').waitFor();
      await page.getByText('10,000 parameters', { exact: true }).waitFor();
      const nodes = () => page.locator('[role="grid"] *').count();

      const operations = person.recordOperations();
      await person.cell('P00000', 0).click();
      await page.keyboard.press('Control+End');
      await person.cell('P09999', 4).waitFor();
      expect(operations.filter((name) => name.startsWith('Matrix')).length).toBeLessThanOrEqual(4);
      expect(await nodes()).toBeLessThan(1_500);

      const before = operations.length;
      await page.getByLabel('Filter by name or value').fill('p0777');
      await page.getByText('10 parameters found', { exact: true }).waitFor();
      await person.cell('P07770', 4).waitFor();
      expect(operations.slice(before).filter((name) => name.startsWith('Matrix')).length).toBeLessThanOrEqual(4);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey.each(Object.keys(LOOKS))('is accessible while it is edited and explained: %s', async (lookName) => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web?env=production', { look: LOOKS[lookName] ?? {} });
    const { page } = person;
    const column = lookName === 'at 375 px' ? 0 : PRODUCTION;
    await person.cell('GREETING', column).click();
    await page.keyboard.press('Enter');
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.keyboard.type('good evening');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Resolution order' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    const width = await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('hides a column and shows it again without waiting for the server', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.cell('GREETING', STAGING).waitFor();
    const columns = (count: number) => page.locator(`[role=grid][aria-colcount="${count + 1}"]`).waitFor();
    await columns(4);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('"MatrixPart"')) await route.continue();
    });
    await page.getByText('All environments').click();
    await page.getByRole('checkbox', { name: 'development' }).click();
    await columns(3);
    expect(await person.announced('GREETING')).toEqual([
      'hello',
      'good day, set here',
      'hello, inherited from default',
    ]);
    await page.getByRole('checkbox', { name: 'development' }).click();
    await columns(4);
    expect(await person.allErrors()).toEqual([]);
  });
});
