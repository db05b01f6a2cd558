import { randomUUID } from 'node:crypto';
import type { Invitation, Membership, Page, User } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, memberOf } = await setUpConsoleTests();

const NO_REVEAL = 'You can’t reveal secrets.';
const STAGING = 3;

describe(`the ability to reveal secrets in the console${reason}`, () => {
  journey('is chosen with the role: off for a new viewer, and stored as it was chosen', async () => {
    const organization = await core().organization();
    const email = `${randomUUID()}@example.com`;
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('button', { name: 'Invite' }).first().click();
    const dialog = page.getByRole('dialog');
    const reveals = dialog.getByRole('checkbox', { name: 'Reveal secrets' });
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    expect(await reveals.isChecked()).toBe(true);
    await dialog.getByLabel('Role').selectOption('VIEWER');
    expect(await reveals.isChecked()).toBe(false);
    expect(await person.accessibilityViolations()).toEqual([]);
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('button', { name: 'Create invite link' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('can’t reveal secrets').waitFor();

    await page.getByRole('button', { name: `Create link for ${email}` }).click();
    await reveals.check();
    await dialog.getByRole('button', { name: 'Create link', exact: true }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row.getByText('can’t reveal secrets').waitFor({ state: 'detached' });
    const { body } = await organization.owner.get<Page<Invitation>>(`invitations/?email=${email}`);
    expect(body.results).toMatchObject([{ role: 'VIEWER', reveals_secrets: true }]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is given to a member by an admin, at once, but not by an admin without it', async () => {
    const organization = await core().organization();
    const { email } = await memberOf(organization);
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    const row = page.getByRole('row').filter({ hasText: email });
    const dialog = page.getByRole('dialog');
    const reveals = dialog.getByRole('checkbox', { name: 'Reveal secrets' });
    await row.getByRole('button', { name: 'Change role' }).click();
    await reveals.check();
    await dialog.getByRole('button', { name: 'Change role', exact: true }).click();
    await row.getByText('can’t reveal secrets').waitFor({ state: 'detached' });
    const users = (await organization.owner.get<Page<User>>('users/?type=interactive')).body.results;
    expect(users.find((user) => user.email === email)).toMatchObject({ role: 'VIEWER', reveals_secrets: true });

    await page.getByText('at revision').waitFor();
    const { body: admins } = await organization.owner.get<Page<Membership>>('memberships/?role=ADMIN');
    await organization.owner.patch(`memberships/${admins.results[0]?.id}/`, { reveals_secrets: false });
    await page.getByRole('row').filter({ hasText: 'you' }).getByText('can’t reveal secrets').waitFor();
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await dialog.getByText('you can’t give this ability').waitFor();
    expect(await reveals.isDisabled()).toBe(true);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('decides whether there are buttons that reveal, and a user without it sees the reason', async () => {
    const { organization, secret, web } = await createPlatform(await core().organization());
    await organization.owner.post(`${web.url}templates/`, { name: 'page', body: 'token {{ TOKEN }}' });
    const person = await signedIn(organization, '/projects/web?cell=TOKEN&in=staging', { role: 'VIEWER' });
    const { page } = person;
    const buttons = page.getByRole('button', { name: /reveal|with secrets|show for/i });
    await page.getByRole('complementary').getByText(NO_REVEAL).waitFor();
    await person.cell('TOKEN', STAGING).click();
    expect(await person.accessibilityViolations()).toEqual([]);
    for (const [path, mark] of [
      ['/projects/web/export?env=staging', NO_REVEAL],
      ['/projects/web/templates/page', NO_REVEAL],
      ['/account', NO_REVEAL],
    ] as const) {
      expect(await buttons.count()).toBe(0);
      await person.open(path);
      await page.getByText(mark).waitFor();
    }
    expect(await buttons.count()).toBe(0);
    expect(await person.everythingReadable()).not.toContain(secret);
  });

  journey('can be on for new viewers, if an owner decides so for the organization', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'OWNER' });
    const { page } = person;
    await page.getByRole('checkbox', { name: 'New viewers can reveal secrets' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto('/access');
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Reveal secrets', checked: true }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
