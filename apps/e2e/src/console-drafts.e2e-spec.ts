import { randomUUID } from 'node:crypto';
import type { Page, RecordedChangeset } from '@strata/contract';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, PRODUCTION, STAGING] = [0, 2, 3];

const staged = (page: ConsolePerson['page'], text: string) =>
  page.getByRole('region', { name: 'Drafts' }).getByText(text, { exact: true });

async function apply(person: ConsolePerson, message: string): Promise<void> {
  await person.page.getByRole('link', { name: 'Review' }).click();
  await person.page.getByLabel('Reason').fill(message);
  await person.apply();
  await person.applied();
}

describe(`drafts in the console${reason}`, () => {
  journey('are applied together as one revision with its message', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    await person.write('GREETING', STAGING, 'good evening');
    await person.write('REGION', PRODUCTION, 'south');
    await person.write('LINK', PRODUCTION, 'https://{{ GREETING }}');
    await person.write('TOKEN', STAGING, 'another-canary');
    await person.cell('GREETING', PRODUCTION).click();
    await person.page.keyboard.press('Delete');
    await staged(person.page, '5 changes').waitFor();

    await apply(person, 'Greet by the hour');
    await person.row('GREETING').waitFor();
    expect(await staged(person.page, '5 changes').count()).toBe(0);

    expect((await person.announced('GREETING')).slice(2)).toEqual([
      expect.stringMatching(/^hello, inherited from default/),
      expect.stringMatching(/^good evening, set here/),
    ]);
    expect((await person.announced('REGION'))[PRODUCTION]).toMatch(/^south, set here/);
    expect((await person.announced('LINK'))[PRODUCTION]).toMatch(/^dynamic: https:\/\/hello, set here/);
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/');
    expect(body.results[0]).toMatchObject({ message: 'Greet by the hour', change_count: 6 });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('survive a reload and are shared by tabs, except for secrets', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const canary = `canary-${randomUUID()}`;
    await person.write('GREETING', STAGING, 'good evening');
    const secondPage = await person.page.context().newPage();
    await secondPage.goto('/projects/web');
    await person.write('TOKEN', STAGING, canary);

    await staged(secondPage, '2 changes').waitFor();
    await secondPage.getByText('re-enter').waitFor();
    await secondPage.close();
    expect(await person.everythingReadable()).not.toContain(canary);

    person.page.on('dialog', (dialog) => void dialog.accept());
    await person.page.reload();
    await staged(person.page, '2 changes').waitFor();
    await person.row('GREETING').waitFor();
    expect((await person.announced('GREETING'))[STAGING]).toBe('good evening, draft (was hello, inherited)');
    expect((await person.announced('TOKEN'))[STAGING]).toBe('re-enter, draft (was a secret, inherited)');
    expect(await person.everythingReadable()).not.toContain(canary);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show a warning for as long as the browser cannot store them', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await person.row('GREETING').waitFor();
    await page.evaluate(() => {
      // This function runs in the browser. It fills the storage almost completely.
      const { localStorage } = globalThis as unknown as { localStorage: { setItem(key: string, text: string): void } };
      let text = '';
      for (let size = 1 << 23; size >= 1; size >>= 1) {
        try {
          localStorage.setItem('full', text + 'x'.repeat(size));
          text += 'x'.repeat(size);
        } catch {}
      }
    });
    await person.write('GREETING', STAGING, 'good evening');
    await page.getByText('this browser can’t store drafts').waitFor();
    await page.evaluate(() => {
      const { localStorage } = globalThis as unknown as { localStorage: { removeItem(key: string): void } };
      localStorage.removeItem('full');
    });
    await person.write('GREETING', PRODUCTION, 'good night');
    await page.getByText('this browser can’t store drafts').waitFor({ state: 'detached' });
    await page.reload();
    await staged(page, '2 changes').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show on their cells that the server rejects them, and nothing is stored', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    await person.write('PORT', PRODUCTION, 'many');
    await person.write('GREETING', STAGING, 'good evening');
    await person.page.getByRole('link', { name: 'Review' }).click();
    await person.page.getByText('One change is rejected').waitFor();
    expect(await person.page.getByRole('button', { name: 'Apply 2 changes' }).isDisabled()).toBe(true);
    await person.page.goBack();

    await person.page.getByText('1 rejected').waitFor();
    expect((await person.announced('PORT'))[PRODUCTION]).toMatch(/^many, rejected: ./);
    expect((await person.announced('GREETING'))[STAGING]).toBe('good evening, draft (was hello, inherited)');
    await person.write('PORT', PRODUCTION, '443');
    await apply(person, '');
    await person.row('PORT').waitFor();
    expect((await person.announced('PORT'))[PRODUCTION]).toMatch(/^443, set here/);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are deleted after a confirmation when the user signs out, and kept when a session expires', async () => {
    const { organization } = await platform();
    const member = await memberOf(organization, 'CONTRIB');
    const person = await visitor('/projects/web');
    const { page } = person;
    await person.signIn(member);
    await person.write('GREETING', STAGING, 'good evening');
    await page.context().clearCookies();
    await page.reload();
    await person.signIn(member);
    await staged(page, '1 change').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Discard and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    expect(await person.everythingReadable()).not.toContain('good evening');
    await person.signIn(member);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto('/projects/web');
    await person.row('GREETING').waitFor();
    expect(await staged(page, '1 change').count()).toBe(0);
    person.clearErrors();
  });

  journey('cannot be made by a viewer, who sees the reason', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web', { role: 'VIEWER' });
    await person.cell('GREETING', DEFAULT).click();
    await person.page.keyboard.press('Enter');

    await person.page.getByText('You can’t change values here').waitFor();
    expect(await person.page.locator('textarea').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });
});
