import { randomUUID } from 'node:crypto';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();

describe(`the account page of the console${reason}`, () => {
  journey('shows the name and permissions of the user, and remembers the theme', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/account', { role: 'ADMIN' });
    const { page } = person;
    await page.getByText('manage webhooks').waitFor();
    expect(await page.getByText('change and delete the organization').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Ada' }).count()).toBe(1);

    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.reload();
    await page.getByText('manage webhooks').waitFor();

    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.title()).toBe('Account · Strata');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('changes the name of the user, which others see in members and in later history', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/account', { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.goto('/access');
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).filter({ hasText: 'you' }).waitFor();
    await page.goto('/access/audit?action=change_name');
    await page.getByRole('cell', { name: 'changed the name' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('changes the password, keeps this session and ends all others', async () => {
    const organization = await core().organization();
    const member = await memberOf(organization);
    const [here, otherPerson] = [await visitor('/account'), await visitor('/projects')];
    for (const person of [here, otherPerson]) await person.signIn(member);
    await otherPerson.page.getByRole('link', { name: 'History' }).waitFor();
    const password = `new-${randomUUID()}`;

    const change = async (old: string) => {
      await here.page.getByLabel('Current password').fill(old);
      await here.page.getByLabel('New password').fill(password);
      await here.page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not the password');
    await here.page.getByRole('alert').filter({ hasText: 'This is not your password.' }).waitFor();
    await change(member.password);
    await here.page.getByText('Password changed.').waitFor();

    await here.page.goto('/projects');
    await here.page.getByRole('link', { name: 'History' }).waitFor();
    await otherPerson.page.reload();
    await otherPerson.page.waitForURL('**/sign-in**');
    await otherPerson.signIn({ ...member, password });
    await otherPerson.page.getByRole('link', { name: 'History' }).waitFor();
    expect(await here.everythingReadable()).not.toContain(password);
    expect(await here.allErrors()).toEqual([]);
  });

  journey('signs out everywhere after a confirmation that states the consequences', async () => {
    const organization = await core().organization();
    const member = await memberOf(organization);
    const [here, otherPerson] = [await visitor('/account'), await visitor('/projects')];
    for (const person of [here, otherPerson]) await person.signIn(member);
    await otherPerson.page.getByRole('link', { name: 'History' }).waitFor();
    await here.page.getByRole('button', { name: 'Sign out everywhere …' }).click();
    await here.page.getByText('All your sessions and tokens end within one second').waitFor();
    expect(await here.accessibilityViolations()).toEqual([]);

    await here.page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();

    await here.page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    await otherPerson.page.reload();
    await otherPerson.page.waitForURL('**/sign-in**');
    expect(await here.allErrors()).toEqual([]);
  });

  journey('lists the sessions of the user, and ends one, which signs out another browser within moments', async () => {
    const organization = await core().organization();
    const member = await memberOf(organization);
    const [here, otherPerson] = [await visitor('/account'), await visitor('/projects')];
    for (const person of [otherPerson, here]) {
      await person.signIn(member);
      await person.live();
    }
    await here.page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
    const rows = here.page.getByRole('row', { name: /^Chrome on Linux/ });
    const ownRow = rows.filter({ hasText: 'This browser' });
    await ownRow.getByRole('cell', { name: 'Password' }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await ownRow.textContent()).toContain('127.0.0.1');

    await rows.filter({ hasNotText: 'This browser' }).getByRole('button', { name: 'End this session' }).click();

    await otherPerson.page.waitForURL('**/sign-in**');
    await here.page.waitForFunction('document.querySelectorAll("tbody tr").length === 1');
    await ownRow.waitFor();
    expect(await here.allErrors()).toEqual([]);
  });

  journey('ends its own session after a confirmation', async () => {
    const person = await signedIn(await core().organization(), '/account');
    const { page } = person;
    await page
      .getByRole('row', { name: /This browser/ })
      .getByRole('button', { name: 'End this session' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    await dialog.getByText('You are signed out of this browser.').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    await dialog.getByRole('button', { name: 'End this session' }).click();

    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('announces that the session ends soon, and opens the sign-in page when it has ended', async () => {
    const organization = await core().organization();
    const person = await visitor('/sign-in');
    const { page } = person;
    await page.clock.install();
    await page.goto('/projects');
    await person.signIn(await memberOf(organization));
    await page.getByRole('link', { name: 'History' }).waitFor();
    expect(await page.getByText('Your session ends at').count()).toBe(0);

    await page.clock.fastForward('11:56:00');
    await page.getByText(/Your session ends at \d\d:\d\d, in [45] minutes/).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.clock.fastForward('05:00');

    await page.waitForURL('**/sign-in?back=%2Fprojects');
    // Skipping five minutes also exceeds the timeout of the websocket, which may be reconnecting when the session ends.
    const errors = (await person.allErrors()).filter(
      (message) => !/WebSocket is (closed before|already in CLOS)/.test(message),
    );
    expect(errors).toEqual([]);
  });

  journey('is accessible', async () => {
    const person = await signedIn(await core().organization(), '/account');
    await person.page.getByRole('row', { name: /This browser/ }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
  });
});
