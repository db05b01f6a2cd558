import type { Page } from 'playwright-core';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());
const [PRODUCTION, STAGING] = [2, 3];

const cellIn = (page: Page, name: string, column: number) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}(?![A-Za-z0-9_])`) }) })
    .locator(`[data-column="${column}"]`);

async function write(page: Page, name: string, column: number, text: string): Promise<void> {
  await cellIn(page, name, column).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

const drafts = (page: Page) => page.getByRole('region', { name: 'Drafts' });
const staged = (page: Page, text: string) => drafts(page).getByText(text, { exact: true });

async function apply(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
}
const applied = (page: Page) => page.getByText('Applied as revision').waitFor();

async function anotherTab({ page }: ConsolePerson, address = '/projects/web'): Promise<Page> {
  const secondPage = await page.context().newPage();
  await secondPage.goto(address);
  return secondPage;
}

describe(`two tabs of one browser${reason}`, () => {
  journey('are both signed in as the latest user, and nothing is done in the name of another', async () => {
    const { organization } = await platform();
    const [ada, secondMember] = [await memberOf(organization, 'CONTRIB'), await memberOf(organization, 'ADMIN')];
    const person = await visitor('/projects/web');
    const { page } = person;
    await person.signIn(ada);
    await write(page, 'GREETING', STAGING, 'good evening');
    await staged(page, '1 change').waitFor();
    const second = await anotherTab(person, '/account');
    await second.getByText(ada.email).waitFor();
    await second.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await second.evaluate(async (credential) => {
      // Signs in with a request, because the console shows no sign-in page in a tab with a session.
      const { fetch, BroadcastChannel } = globalThis as unknown as {
        fetch: (path: string, init: object) => Promise<unknown>;
        BroadcastChannel: new (name: string) => { postMessage(message: string): void };
      };
      const headers = { 'content-type': 'application/json' };
      await fetch('/session', { method: 'POST', headers, body: JSON.stringify(credential) });
      new BroadcastChannel('strata-session').postMessage('signed in');
    }, secondMember);

    await page.getByText('admin', { exact: true }).waitFor();
    await drafts(page).waitFor({ state: 'detached' });
    await second.getByText(secondMember.email).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('apply no drafts of another user', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await write(page, 'GREETING', STAGING, 'good evening');
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: /effective values? changes?/ }).waitFor();
    // Replaces the session without notifying the tab.
    await page.context().request.post('/session', {
      data: await memberOf(organization, 'ADMIN'),
      headers: { origin: new URL(page.url()).origin },
    });
    await person.apply();

    await page.getByRole('alert').filter({ hasText: 'in another tab. Nothing was saved' }).waitFor();
    const { body } = await organization.owner.get<{ values: Record<string, string> }>(
      `${web.url}effective/?environment=staging`,
    );
    expect(JSON.stringify(body)).not.toContain('good evening');
  });

  journey('use the secret that was typed last, in either of them', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const { page } = person;
    await write(page, 'TOKEN', STAGING, 'older-canary');
    const second = await anotherTab(person);
    await staged(second, '1 change').waitFor();
    await write(second, 'TOKEN', STAGING, 'newer-canary');

    await page.getByText('re-enter').waitFor();
    await apply(second);
    await applied(second);
    const { body } = await organization.owner.get<{ values: Record<string, string> }>(
      `${web.url}effective/?environment=staging`,
    );
    expect(body.values.TOKEN).toBe('newer-canary');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keep the drafts of both', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web');
    const second = await anotherTab(person);
    await cellIn(second, 'GREETING', STAGING).waitFor();
    await Promise.all([
      write(person.page, 'GREETING', STAGING, 'good evening'),
      write(second, 'REGION', PRODUCTION, 'south'),
    ]);

    for (const page of [person.page, second]) await staged(page, '2 changes').waitFor();
    await person.page.reload();
    await staged(person.page, '2 changes').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
