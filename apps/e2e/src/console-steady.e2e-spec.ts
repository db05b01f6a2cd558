import type { Page as Rows, Value } from '@strata/contract';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, PRODUCTION, STAGING] = [0, 2, 3];

const drafts = (page: Page) => page.getByRole('region', { name: 'Drafts' });
const liveSign = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
/** Returns the text of the focused element, or `content` if the whole page has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as { document: { activeElement: { id: string; textContent: string } } };
    return document.activeElement.id || document.activeElement.textContent;
  });

describe(`the console${reason}`, () => {
  journey('keeps all lines of a text that is edited in its cell', async () => {
    const { organization, web } = await platform();
    const parameter = await organization.parameter({ project: web, name: 'LINES' });
    const { url } = await organization.value({ parameter, internal_value: 'first\nsecond\n\nfourth' });
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.cell('LINES', DEFAULT).getByText('4 lines').waitFor();
    await person.cell('LINES', DEFAULT).click();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: /LINES/ });
    expect(await field.inputValue()).toBe('first\nsecond\n\nfourth');
    await page.keyboard.press('Enter');
    expect(await drafts(page).count()).toBe(0);

    await person.cell('LINES', DEFAULT).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('fifth');
    await page.keyboard.press('Enter');
    await person.cell('LINES', DEFAULT).getByText('5 lines').waitFor();
    await drafts(page).getByRole('link', { name: 'Review' }).click();
    await person.apply();
    await person.applied();

    const { body } = await organization.owner.get<Value>(url);
    expect(body.internal_value).toBe('first\nsecond\n\nfourth\nfifth');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('describes the focused cell and its keys below the matrix, wherever the pointer is', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.cell('GREETING', PRODUCTION).click();
    await person.cell('REGION', STAGING).hover();
    await page.getByText(/^REGION in staging is from project base/).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^GREETING in staging is inherited from default/).waitFor();
    expect(await page.getByText(/^REGION in staging is from/).count()).toBe(0);
    await page.getByText(/^Enter edit Del inherit ?Space explain \? keys$/).waitFor();

    const reader = await signedIn(organization, '/projects/web', { role: 'VIEWER' });
    await reader.row('GREETING').waitFor();
    await reader.page.getByText(/^Space explain \? keys$/).waitFor();
  });

  journey('is not live while changes cannot be read, and shows them as soon as they can', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.row('GREETING').waitFor();
    await liveSign(page, 'Live').waitFor();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('"operationName":"Matrix') ? route.abort() : route.continue(),
    );
    const { status } = await organization.owner.put(`${web.url}values/?environment=staging`, {
      values: { GREETING: 'hej' },
    });
    expect(status).toBe(200);

    await liveSign(page, 'Not live').waitFor();
    expect((await person.announced('GREETING'))[STAGING]).toBe('hello, inherited from default');
    expect(await liveSign(page, 'Live').count()).toBe(0);
    await page.unroute('**/graphql');

    await person.cell('GREETING', STAGING).getByText('hej').waitFor();
    await liveSign(page, 'Live').waitFor();
    // The browser logs each aborted request.
    person.clearErrors();
  });

  journey('restores the focus after a dialog, a form and a page', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/environments');
    const { page } = person;
    const production = page.getByRole('main').getByRole('link', { name: /^production/ });
    await production.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^production/);

    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tags' }).waitFor();
    expect(await focused(page)).toBe('content');
    await page.getByRole('link', { name: 'Rename or describe' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    expect(await name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await page.getByRole('link', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await name.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(' Rename or describe');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('offers to retry when a part or a page cannot be loaded, and then continues', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('link', { name: 'web', exact: true }).first().waitFor();
    const programs = /\/assets\/(keys-dialog|history-page)[^/]*\.js$/;
    await page.route(programs, (route) => route.abort());
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    const trouble = page.getByRole('alert').filter({ hasText: 'Couldn’t load this part' });
    await trouble.waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.unroute(programs);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await trouble.waitFor({ state: 'detached' });
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');

    await page.route(programs, (route) => route.abort());
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click();
    await page.getByText('The connection was lost').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.unroute(programs);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Message').waitFor();
    // The browser logs each aborted script.
    person.clearErrors();
  });

  journey('previews a form although no further script can be loaded', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/environments/production?do=tag');
    const { page } = person;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await person.live();
    const programs = /\/assets\/.*\.js$/;
    await page.route(programs, (route) => route.abort());
    await name.fill('v1');
    await page.getByRole('textbox', { name: 'Description' }).fill('The first release');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Create tag' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('The first release');
    await page.unroute(programs);
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByRole('cell', { name: 'The first release' }).waitFor();
  });

  journey('works in a browser without storage, and warns that drafts are not stored', async () => {
    const { organization, web } = await platform();
    const person = await visitor('about:blank');
    const { page } = person;
    await page.addInitScript(() => {
      for (const storage of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, storage, {
          get: () => {
            throw new DOMException('The browser keeps nothing.', 'SecurityError');
          },
        });
      }
    });
    await page.goto('/projects/web');
    await person.signIn(await memberOf(organization, 'CONTRIB'));
    await person.write('GREETING', STAGING, 'good evening');
    await page.getByText('this browser can’t store drafts: apply before you leave this page').waitFor();
    await drafts(page).getByRole('link', { name: 'Review' }).click();
    await person.apply();
    await person.applied();

    const { body } = await organization.owner.get<Rows<{ name: string; values: Record<string, Value> }>>(
      `${web.url}parameters/?environment=staging&name=GREETING`,
    );
    const texts = Object.values(body.results[0]?.values ?? {}).map((value) => value?.value);
    expect(texts).toEqual(['good evening']);
    await page.goto('/account');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
