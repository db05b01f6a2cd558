import { randomUUID } from 'node:crypto';
import type { InvitationCreated, Page, User } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, gateway, signedIn, visitor, memberOf } = await setUpConsoleTests();

const PASSWORD = `a password of ${randomUUID()}`;

async function invited(organization: TestOrganization, email = `${randomUUID()}@example.com`, role = 'CONTRIB') {
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role });
  return { ...body, address: `/invitations/${body.id}#${body.token}` };
}

const fetchMembers = async (organization: TestOrganization) =>
  (await organization.owner.get<Page<User>>('users/?type=interactive')).body.results;

describe(`the link of an invitation in the console${reason}`, () => {
  journey('shows a new user who invited them, lets them choose a name and password, and signs them in', async () => {
    const organization = await core().organization();
    const { email, address, token } = await invited(organization);
    const person = await visitor(address);
    const { page } = person;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('heading', { name: `Join ${organization.name}` }).waitFor();
    await page.getByText(`invites ${email} as contrib`).waitFor();
    await page.waitForURL((url) => url.hash === '');
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(token);

    await page.getByLabel('Your name').fill('Nora');
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await page.getByRole('button', { name: `Join ${organization.name}` }).click();
    await page.getByRole('link', { name: 'Access' }).click();

    await page.getByRole('row').filter({ hasText: 'Nora' }).filter({ hasText: 'you' }).waitFor();
    expect(await fetchMembers(organization)).toContainEqual(
      expect.objectContaining({ email, name: 'Nora', role: 'CONTRIB' }),
    );
    for (const text of [token, PASSWORD]) {
      expect(await person.everythingReadable()).not.toContain(text);
      expect(requested.join('\n')).not.toContain(text);
    }
    expect(await person.allErrors()).toEqual([]);
  });

  journey('accepts the password of an existing account, and rejects a wrong one', async () => {
    const [home, organization] = [await core().organization(), await core().organization()];
    const member = await memberOf(home);
    const { address } = await invited(organization, member.email, 'ADMIN');
    const person = await visitor(address);
    const { page } = person;
    await page.getByText('You have an account with this address').waitFor();
    expect(await page.getByLabel('Your name').count()).toBe(0);
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').filter({ hasText: 'Incorrect' }).waitFor();
    person.clearErrors();

    await page.getByLabel('Your password').fill(member.password);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: organization.name }).waitFor();
    await page.getByRole('button', { name: organization.name }).click();
    const menu = page.getByRole('navigation', { name: 'Organizations' });
    await menu.getByRole('button', { name: home.name }).waitFor();
    await menu.getByRole('button', { name: organization.name }).filter({ hasText: 'admin' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('requires no password from a user who is already signed in with the invited address', async () => {
    const [home, organization] = [await core().organization(), await core().organization()];
    const member = await memberOf(home);
    const { address } = await invited(organization, member.email);
    const person = await visitor('/projects');
    await person.signIn(member);
    await person.page.getByRole('link', { name: 'History' }).waitFor();
    await person.page.goto(address);
    await person.page.getByText('You are signed in with this address.').waitFor();
    await person.page.getByRole('button', { name: 'Join' }).click();

    await person.page.getByRole('button', { name: organization.name }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('warns that another user is signed in in this browser', async () => {
    const organization = await core().organization();
    const { email, address } = await invited(organization);
    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('link', { name: 'History' }).waitFor();
    await page.goto(address);
    await page.getByText(`Joining signs you in as ${email} instead.`).waitFor();
    await page.getByLabel('Your name').fill('Nora');
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();

    await page.getByRole('link', { name: /Nora/ }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows that it is used, withdrawn or incomplete', async () => {
    const organization = await core().organization();
    const [used, withdrawn] = [await invited(organization), await invited(organization)];
    const anonymous = await visitor(`${gateway().origin}/invitations/${used.id}`);
    await anonymous.page.getByRole('heading', { name: 'Incomplete link' }).waitFor();
    await memberWith(used);
    await organization.owner.delete(`invitations/${withdrawn.id}/`);

    const late = await visitor(used.address);
    await late.page.getByRole('heading', { name: 'Invitation already used' }).waitFor();
    expect(await late.accessibilityViolations()).toEqual([]);
    const dead = await visitor(withdrawn.address);
    await dead.page.getByRole('heading', { name: 'Link no longer valid' }).waitFor();
    expect(await dead.accessibilityViolations()).toEqual([]);
    await late.page.getByRole('link', { name: 'Sign in' }).click();
    await late.page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    for (const person of [anonymous, late, dead]) expect(await person.allErrors()).toEqual([]);
  });

  journey('shows when it expired and whom to ask for a new one', async () => {
    const organization = await core().organization();
    const { address, inviter_name: inviter } = await invited(organization);
    const person = await visitor('/sign-in');
    const { page } = person;
    await page.route('**/graphql', async (route) => {
      // The test cannot wait for seven days, so it changes the time in the response. A spec of the core tests the expiry itself.
      const response = await route.fetch();
      const text = (await response.text()).replace('"state":"open"', '"state":"expired"');
      await route.fulfill({ response, body: text });
    });
    await page.goto(address);
    await page.getByRole('heading', { name: 'Link expired' }).waitFor();
    await page.getByText(`Request a new one from ${inviter}.`).waitFor();

    expect(await page.getByRole('button').count()).toBe(0);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const organization = await core().organization();
    const { address } = await invited(organization);
    const person = await visitor(address);
    await person.page.getByLabel('Choose a password').waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});

async function memberWith({ id, token }: InvitationCreated): Promise<void> {
  await new RawClient(core().origin, null).post(`invitations/${id}/accept/`, {
    token,
    password: PASSWORD,
    name: 'Ada',
  });
}
