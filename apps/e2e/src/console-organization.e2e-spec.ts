import type { Invitation, InvitationCreated, Organization } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import type { ConsoleMember } from './console-members.ts';

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests();

/** Adds a member of one organization to another one. */
async function addTo(organization: TestOrganization, { email, password }: ConsoleMember, role: string): Promise<void> {
  const anonymous = new RawClient(core().origin, null);
  const { body: token } = await anonymous.post<{ access_token: string }>('auth/token/', { email, password });
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role });
  const person = new RawClient(core().origin, `Bearer ${token.access_token}`);
  const accepted = await person.post<Invitation>(`invitations/${body.id}/accept/`, { token: body.token });
  if (accepted.status !== 200) throw new Error(accepted.text);
}

const fetchName = async ({ owner, id }: TestOrganization) =>
  (await owner.get<Organization>(`organizations/${id}/`)).body.name;

describe(`the organization page of the console${reason}`, () => {
  journey('renames the organization, and shows its pattern for project names', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'OWNER' });
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Project name pattern').fill('^[a-z');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Not a valid regular expression.' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    const pattern = page.getByLabel('Project name pattern');
    expect(await pattern.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme');
    await page.getByLabel('Project name pattern').fill('^[a-z-]+$');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();

    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Acme' }).waitFor();
    await page.getByRole('definition').filter({ hasText: '^[a-z-]+$' }).waitFor();
    expect(await fetchName(organization)).toBe('Acme');
    expect((await organization.owner.post('projects/', { name: 'UPPER' })).status).toBe(400);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('does not overwrite a name that another user has just set', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'OWNER' });
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await organization.owner.patch(`organizations/${organization.id}/`, { name: 'Theirs' });
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'it is “Theirs” now' }).waitFor();
    expect(await fetchName(organization)).toBe('Theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();

    expect(await fetchName(organization)).toBe('Mine');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('switches all tabs to another organization without a password', async () => {
    const [firstOrganization, secondOrganization] = [await core().organization(), await core().organization()];
    const member = await memberOf(firstOrganization, 'OWNER');
    await addTo(secondOrganization, member, 'VIEWER');
    await firstOrganization.project({ name: 'only-here' });
    await secondOrganization.project({ name: 'only-there' });
    const person = await visitor('/projects/only-here/settings');
    await person.signIn(member);
    const { page } = person;
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    const choices = page.getByRole('list', { name: 'Your organizations' }).getByRole('button');
    expect((await choices.allTextContents()).sort()).toEqual(
      [`${firstOrganization.name}owner`, `${secondOrganization.name}viewer`].sort(),
    );
    expect(await choices.first().evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await choices.filter({ hasText: firstOrganization.name }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'only-here' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/only-here/settings');
    await page.goto('/projects');
    await page.getByRole('link', { name: 'only-here' }).first().waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/projects/only-here');
    await tab.getByRole('heading', { name: 'only-here' }).waitFor();

    await page.getByRole('button', { name: firstOrganization.name }).click();
    const menu = page.getByRole('navigation', { name: 'Organizations' });
    await menu.getByRole('button', { name: firstOrganization.name }).and(page.locator('[aria-current]')).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await menu.getByRole('button', { name: secondOrganization.name }).click();

    for (const openPage of [page, tab]) {
      await openPage.getByRole('link', { name: 'only-there' }).first().waitFor();
      await openPage.getByRole('link', { name: /viewer, read only/ }).waitFor();
      expect(await openPage.getByRole('link', { name: 'only-here' }).count()).toBe(0);
    }
    // The next sign-in continues in the same organization. The test leaves the page first, so that none of its requests is rejected.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/projects');
    await person.signIn(member);
    await page.getByRole('link', { name: 'only-there' }).first().waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is preceded by a choice of organization when the user belongs to several', async () => {
    const [firstOrganization, secondOrganization] = [await core().organization(), await core().organization()];
    const member = await memberOf(firstOrganization, 'OWNER');
    await addTo(secondOrganization, member, 'VIEWER');
    await secondOrganization.project({ name: 'only-there' });
    const person = await visitor('/projects/only-there');
    await person.signIn(member);
    const { page } = person;
    const choice = page.getByRole('button', { name: secondOrganization.name });
    await choice.waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.reload();
    await choice.click();

    await page.getByRole('heading', { name: 'only-there' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/only-there');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows nothing of an organization before the user chooses one, in any tab and at any URL', async () => {
    const [firstOrganization, secondOrganization] = [await core().organization(), await core().organization()];
    const member = await memberOf(firstOrganization, 'OWNER');
    await addTo(secondOrganization, member, 'VIEWER');
    await secondOrganization.project({ name: 'only-there' });
    const person = await visitor('/projects');
    const { page } = person;
    const second = await page.context().newPage();
    await second.goto('/projects/only-there');
    await second.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    await person.signIn(member);
    const title = { name: 'Choose an organization' };
    await second.getByRole('heading', title).waitFor();
    await page.getByRole('heading', title).waitFor();
    await page.goto('/environments');
    await page.getByRole('heading', title).waitFor();
    await page.getByRole('button', { name: firstOrganization.name }).click();
    await page.getByRole('heading', { name: 'Environments' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: firstOrganization.name })
      .waitFor();
    // Requests that are still running when the other tab switches the session would be rejected, and the browser would log them.
    await person.live();
    // The user has chosen an organization, so the other tab continues as well.
    await second.getByRole('button', { name: secondOrganization.name }).click();
    await second.getByRole('heading', { name: 'only-there' }).waitFor();

    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: secondOrganization.name })
      .waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('opens the organization that was clicked, although another tab has switched to another one', async () => {
    const [firstOrganization, secondOrganization] = [await core().organization(), await core().organization()];
    const member = await memberOf(firstOrganization, 'OWNER');
    await addTo(secondOrganization, member, 'VIEWER');
    await firstOrganization.project({ name: 'only-here' });
    const person = await visitor('/projects');
    const { page } = person;
    const second = await page.context().newPage();
    await second.goto('/projects');
    await second.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    await person.signIn(member);
    const choice = second.getByRole('button', { name: firstOrganization.name });
    await choice.waitFor();
    await page.getByRole('button', { name: secondOrganization.name }).click();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: secondOrganization.name })
      .waitFor();
    await choice.click();

    await second
      .getByRole('navigation', { name: 'Main' })
      .getByRole('button', { name: firstOrganization.name })
      .waitFor();
    await second.getByRole('link', { name: 'only-here' }).first().waitFor();
  });

  journey('has a menu of organizations that opens and closes by keyboard', async () => {
    const organization = await core().organization();
    const { page } = await signedIn(organization, '/projects');
    const opener = page.getByRole('button', { name: organization.name });
    await opener.focus();
    await page.keyboard.press('Enter');
    const settings = page.getByRole('link', { name: 'Organization settings' });
    await settings.waitFor();
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: organization.name }).nth(1).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
  });

  journey('creates an organization, and its creator becomes the owner and is signed in at once', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My own');
    await page.getByRole('button', { name: 'Create and switch' }).click();

    await page.getByRole('button', { name: 'My own' }).waitFor();
    await page.getByRole('link', { name: /owner/ }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('deletes the organization after the user types its name', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'OWNER' });
    const { page } = person;
    await page.getByRole('button', { name: 'Delete organization …' }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Delete organization' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${organization.name} to confirm`).fill(organization.name.slice(0, -1));
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${organization.name} to confirm`).fill(organization.name);
    expect(await person.accessibilityViolations()).toEqual([]);
    await button.click();
    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();

    expect((await organization.owner.get(`organizations/${organization.id}/`)).status).toBe(403);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is read-only for a user who may not change the organization', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'ADMIN' });
    await person.page.getByText('You can read these settings but not change them.').waitFor();
    await person.page.getByRole('main').getByRole('button', { name: 'Create organization' }).waitFor();

    expect(await person.page.getByRole('main').getByRole('button').allTextContents()).toEqual(['Create organization']);
    expect(await person.page.getByRole('main').getByRole('textbox').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/organization', { role: 'OWNER' });
    await person.page.getByRole('button', { name: 'Delete organization …' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await person.page.getByRole('button', { name: organization.name }).click();
    await person.page.getByRole('link', { name: 'Organization settings' }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
