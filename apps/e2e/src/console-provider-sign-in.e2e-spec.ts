import { randomUUID } from 'node:crypto';
import { findFreePort } from '@strata/processes';
import {
  type OwnCore,
  type ProviderPerson,
  sharedCore,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestOrganization,
} from '@strata/testkit';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';

const DOMAIN = `${randomUUID()}.example`;

let provider: TestIdentityProvider | undefined;
let core: OwnCore | undefined;
let organization: TestOrganization;
let settings: Readonly<Record<string, string>>;

const { journey, reason, visitor } = await setUpConsoleTests(
  async () => {
    const port = await findFreePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    // for a browser, this host is another site than the console
    provider = await startIdentityProvider('localhost');
    const shared = await sharedCore();
    organization = await shared.organization();
    const client = await provider.register('acme', publicUrl);
    const organizations = [{ organization: organization.id, domains: [DOMAIN] }];
    settings = {
      STRATA_IDENTITY_PROVIDERS: JSON.stringify([{ ...client, name: 'Acme', organizations }]),
      STRATA_PRIVATE_ISSUERS: 'true',
      STRATA_PUBLIC_URL: publicUrl,
      STRATA_GATEWAY_PORT: String(port),
    };
    core = await shared.another(settings);
    return core;
  },
  () => settings,
);
afterAll(() => Promise.all([core?.close(), provider?.close()]));

function newPerson(): ProviderPerson {
  if (!provider) throw new Error('The provider is not running.');
  return provider.person({ email: `${randomUUID()}@${DOMAIN}` });
}

async function signInAt(page: Page, { email = '' }: ProviderPerson): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Acme' }).click();
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  await page.getByRole('button', { name: email }).click();
}

describe(`sign-in with an identity provider in the console${reason}`, () => {
  journey('opens the requested page in the right organization, and signing out ends both sessions', async () => {
    const member = newPerson();
    const person = await visitor('/history?action=update');
    const { page } = person;
    await page.waitForURL('**/sign-in?back=**');

    await signInAt(page, member);

    await page.waitForURL('**/history?action=update');
    await page.getByText(organization.name).first().waitFor();
    await person.live();
    await page.goto('/account');
    await page.getByText('You sign in with Acme. You have no password in Strata.').waitFor();
    await person.live();
    expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign out at the provider?' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');

    // otherwise the provider would continue with the same account
    await signInAt(page, member);
    await page.getByRole('link', { name: 'History' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('opens the console in all tabs, and replaces another user in them', async () => {
    const [first, second] = [newPerson(), newPerson()];
    const { page } = await visitor('/sign-in');
    const secondPage = await page.context().newPage();
    await secondPage.goto('/account');
    await secondPage.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();

    await signInAt(page, first);
    await page.getByRole('link', { name: 'History' }).waitFor();
    await secondPage.getByText(first.email ?? '').waitFor();
    await page.context().clearCookies();
    await page.goto('/sign-in');
    await signInAt(page, second);
    await page.getByRole('link', { name: 'History' }).waitFor();

    await secondPage.getByText(second.email ?? '').waitFor();
    expect(await secondPage.getByText(first.email ?? '').count()).toBe(0);
  });

  journey('explains why it failed, and opens the requested page after the next attempt', async () => {
    const person = await visitor('/environments');
    const { page } = person;
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();

    const errorMessage = 'The sign-in was canceled or denied at the identity provider. Try again.';
    await page.getByRole('alert').filter({ hasText: errorMessage }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);

    await signInAt(page, newPerson());
    await page.waitForURL('**/environments');
  });
});
