import { randomUUID } from 'node:crypto';
import type { ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();
const STAGING = 3;

/** Makes the gateway report that the session ends soon, until the user signs in again. */
async function expireSoon({ page }: ConsolePerson, inMs: number): Promise<void> {
  await page.route('**/session', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { signedIn?: boolean };
    const endsAt = new Date(Date.now() + inMs).toISOString();
    await route.fulfill({ response, json: body.signedIn ? { ...body, endsAt } : body });
  });
}

const drafts = ({ page }: ConsolePerson) => page.getByRole('region', { name: 'Drafts' });

describe(`a console session that expires soon${reason}`, () => {
  journey('can be renewed by signing in again, and drafts are kept', async () => {
    const { organization } = await createPlatform(await core().organization());
    const member = await memberOf(organization, 'CONTRIB');
    const person = await visitor('/sign-in');
    const { page } = person;
    await page.clock.install();
    await expireSoon(person, 60_000);
    await page.goto('/projects/web');
    await person.signIn(member);
    await person.write('GREETING', STAGING, 'good evening');
    await drafts(person).waitFor();
    const notice = page.getByText('Your session ends at');
    await notice.waitFor();

    await page.unroute('**/session');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await person.signIn(member);
    await drafts(person).getByText('1 change', { exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
    // Advances beyond the end of the previous session.
    await page.clock.fastForward('02:00');
    await drafts(person).getByText('1 change', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/web');
  });

  journey('shows nothing of the previous user to another user who signs in', async () => {
    const { organization } = await createPlatform(await core().organization());
    const [ada, secondMember] = [await memberOf(organization, 'CONTRIB'), await memberOf(organization, 'VIEWER')];
    const person = await visitor('/sign-in');
    const { page } = person;
    await expireSoon(person, 60_000);
    await page.goto('/projects/web');
    await person.signIn(ada);
    await person.write('GREETING', STAGING, 'good evening');
    await page.unroute('**/session');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await person.signIn(secondMember);

    await person.row('GREETING').waitFor();
    await page.getByText('viewer, read only').waitFor();
    expect(await drafts(person).count()).toBe(0);
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByText(secondMember.email).waitFor();
    // The websocket of the previous user is closing, and the page may still send on it.
    const errors = (await person.allErrors()).filter((message) => !message.includes('WebSocket is already in CLOS'));
    expect(errors).toEqual([]);
  });
});

describe(`a session of the console${reason}`, () => {
  journey('continues in all tabs while the password is changed', async () => {
    const organization = await core().organization();
    const member = await memberOf(organization);
    const person = await visitor('/account');
    const { page } = person;
    const line = page.waitForEvent('websocket');
    await person.signIn(member);
    const lineEnds = (await line).waitForEvent('close');
    await person.live();
    await page.route('**/session', async (route) => {
      // The previous session has ended, and all tabs have had time to notice.
      if (route.request().method() === 'POST') {
        await lineEnds;
        await page.waitForTimeout(1_500);
      }
      await route.continue();
    });
    await page.getByLabel('Current password').fill(member.password);
    await page.getByLabel('New password').fill(`new-${randomUUID()}`);
    await page.getByRole('button', { name: 'Change password' }).click();

    await page.getByText('Password changed.').waitFor();
    await person.live();
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  journey('links to the sign-in page if it has expired when drafts are applied, and keeps the drafts', async () => {
    const { organization } = await createPlatform(await core().organization());
    const member = await memberOf(organization, 'CONTRIB');
    const person = await visitor('/projects/web');
    const { page } = person;
    await person.signIn(member);
    await person.write('GREETING', STAGING, 'good evening');
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: /effective values? changes?/ }).waitFor();
    await page.context().clearCookies();
    await person.apply();
    await page.getByRole('alert').getByRole('link', { name: 'Sign in again' }).click();
    await person.signIn(member);

    await person.apply();
    await person.applied();
  });

  journey('keeps the typed e-mail address if the sign-in fails', async () => {
    const person = await visitor('/sign-in');
    const { page } = person;
    const email = `${randomUUID()}@example.com`;
    await person.signIn({ email, password: 'not the password' });
    await page.getByRole('alert').waitFor();

    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
  });

  journey('skips the sign-in page if it exists, and cannot be ended offline', async () => {
    const person = await signedIn(await core().organization(), '/projects');
    const { page } = person;
    await page.getByRole('link', { name: 'History' }).waitFor();
    await page.goto('/sign-in?back=/sign-in');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.getByRole('alert').filter({ hasText: 'You are still signed in' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
  });
});
