import { randomUUID } from 'node:crypto';
import type { InvitationCreated, Membership, Page, User } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn, memberOf } = await setUpConsoleTests();

const address = () => `${randomUUID()}@example.com`;
const fetchPeople = async (organization: TestOrganization) =>
  (await organization.owner.get<Page<User>>('users/?type=interactive')).body.results;

describe(`the page of people in the console${reason}`, () => {
  journey('creates an invitation, shows its link once, and lists it as open', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    const email = address();
    await page.getByText('No open invitations.').waitFor();
    await page.getByRole('button', { name: 'Invite' }).first().click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Role').locator('option').allTextContents()).toEqual([
      'viewer',
      'contributor',
      'admin',
    ]);
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByLabel('Role').selectOption('CONTRIB');
    await dialog.getByText('A contributor also changes').waitFor();
    await dialog.getByRole('button', { name: 'Create invite link' }).click();
    await dialog.getByText('Copy it now').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    const link = await dialog.locator('code').textContent();
    const [, token = ''] = /\/invitations\/[\w-]+#([\w-]{43})$/.exec(link ?? '') ?? [];
    expect(token).not.toBe('');
    // A click outside must not close the dialog, because the link cannot be shown again.
    await page.mouse.click(5, 400);
    expect(await dialog.locator('code').count()).toBe(1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: email });
    await row.filter({ hasText: 'contrib' }).filter({ hasText: 'valid until' }).waitFor();
    expect(await person.everythingReadable()).not.toContain(token);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows errors of an invitation at their fields', async () => {
    const organization = await core().organization();
    const { email } = await memberOf(organization);
    const { page } = await signedIn(organization, '/access', { role: 'ADMIN' });
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await page.getByRole('dialog').getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Create invite link' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `${email} is already a member.` })
      .waitFor();

    expect(await page.getByRole('dialog').getByLabel('E-mail address').inputValue()).toBe(email);
  });

  journey('creates a new link for an invitation, also with another role, and withdraws it', async () => {
    const organization = await core().organization();
    const email = address();
    const { body: createdInvitation } = await organization.owner.post<InvitationCreated>('invitations/', {
      email,
      role: 'VIEWER',
    });
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('button', { name: `Create link for ${email}` }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('ADMIN');
    await page.getByRole('dialog').getByRole('button', { name: 'Create link', exact: true }).click();
    const link = await page.getByRole('dialog').locator('code').textContent();
    expect(link).toContain(`/invitations/${createdInvitation.id}#`);
    expect(link).not.toContain(createdInvitation.token);
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.filter({ hasText: 'admin' }).waitFor();

    await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect((await organization.owner.get(`invitations/${createdInvitation.id}/`)).status).toBe(404);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('changes the role of a member and removes a member, after showing the consequences', async () => {
    const organization = await core().organization();
    const { email } = await memberOf(organization, 'VIEWER');
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('CONTRIB');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role', exact: true }).click();
    await row.filter({ hasText: 'contrib' }).waitFor();
    const member = (await fetchPeople(organization)).find((candidate) => candidate.email === email);
    expect(member?.role).toBe('CONTRIB');

    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('They lose access immediately').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await fetchPeople(organization)).map((candidate) => candidate.email)).not.toContain(email);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('does not overwrite a role that another user has just set', async () => {
    const organization = await core().organization();
    const { email } = await memberOf(organization, 'VIEWER');
    const invited = address();
    const { owner } = organization;
    const { body: createdInvitation } = await owner.post<InvitationCreated>('invitations/', {
      email: invited,
      role: 'VIEWER',
    });
    const member = (await fetchPeople(organization)).find((candidate) => candidate.email === email);
    const fetchRole = async (url: string) => (await owner.get<{ role: string }>(url)).body.role;
    const person = await signedIn(organization, '/access', { role: 'OWNER' });
    const { page } = person;
    const dialog = page.getByRole('dialog');
    const choose = async (url: string, verb: string) => {
      await dialog.getByLabel('Role').selectOption('CONTRIB');
      await owner.patch(url, { role: 'ADMIN' });
      await dialog.getByRole('button', { name: verb }).click();
      await dialog.getByRole('alert').filter({ hasText: 'it is “admin” now' }).waitFor();
      expect(await fetchRole(url)).toBe('ADMIN');
      await dialog.getByRole('button', { name: verb }).click();
    };

    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByRole('button', { name: 'Change role' }).click();
    await choose(`memberships/${member?.membership_id}/`, 'Change role');
    await row.filter({ hasText: 'contributor' }).waitFor();
    await page.getByRole('button', { name: `Create link for ${invited}` }).click();
    await choose(`invitations/${createdInvitation.id}/`, 'Create link');
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await fetchRole(`invitations/${createdInvitation.id}/`)).toBe('CONTRIB');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keeps the last owner, and explains what to do first', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/access', { role: 'OWNER' });
    const { page } = person;
    const [first] = (await fetchPeople(organization)).filter(({ name }) => name !== 'Ada');
    await page
      .getByRole('row')
      .filter({ hasText: first?.email ?? '?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const ownRow = page.getByRole('row').filter({ hasText: 'you' }).filter({ hasText: 'Ada' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ownRow.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('alert').filter({ hasText: 'Make another member an OWNER first' }).waitFor();

    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await ownRow.count()).toBe(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows at once what other users do with members', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    await person.page.getByText('at revision').waitFor();
    const email = address();
    await organization.owner.post('invitations/', { email, role: 'VIEWER' });
    await person.page.getByRole('row').filter({ hasText: email }).waitFor();

    const { body } = await organization.owner.get<Page<Membership>>('memberships/?role=ADMIN');
    await organization.owner.patch(`memberships/${body.results[0]?.id}/`, { role: 'VIEWER' });
    await person.page.getByRole('row').filter({ hasText: 'you' }).filter({ hasText: 'viewer' }).waitFor();
    await person.page.getByText('You can see the members but not change them.').waitFor();
    expect(await person.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });

  journey('is read-only for a viewer', async () => {
    const organization = await core().organization();
    const email = address();
    await organization.owner.post('invitations/', { email, role: 'VIEWER' });
    const person = await signedIn(organization, '/access', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    await page.getByText('You can see the members but not change them.').waitFor();
    await page.getByRole('button', { name: 'Leave' }).waitFor();

    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(['Leave']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const organization = await core().organization();
    for (const role of ['VIEWER', 'CONTRIB', 'ADMIN']) {
      await organization.owner.post('invitations/', { email: address(), role });
    }
    await memberOf(organization, 'OWNER');
    const person = await signedIn(organization, '/access', { role: 'OWNER' });
    await person.page.getByRole('cell', { name: 'valid until' }).first().waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
