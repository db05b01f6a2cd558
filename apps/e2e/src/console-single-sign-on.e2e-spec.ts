import type { ExchangedToken, Organization, User } from '@strata/contract';
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE_GRANT_TYPE } from '@strata/contract';
import {
  type OwnCore,
  type ProviderClient,
  RawClient,
  sharedCore,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestOrganization,
} from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const DOMAIN = 'acme.example';

let provider: TestIdentityProvider;
let registration: ProviderClient;
let organization: TestOrganization;
let ownCore: OwnCore | undefined;

const { journey, reason, core, signedIn, visitor, memberOf } = await setUpConsoleTests(async () => {
  const shared = await sharedCore();
  provider = await startIdentityProvider();
  registration = await provider.register('acme', 'https://config.example');
  organization = await shared.organization();
  const organizations = [{ organization: organization.id, domains: [DOMAIN] }];
  ownCore = await shared.another({
    STRATA_IDENTITY_PROVIDERS: JSON.stringify([{ ...registration, name: 'Acme Login', organizations }]),
    STRATA_PRIVATE_ISSUERS: 'true',
  });
  return ownCore;
});
afterAll(async () => {
  await Promise.all([ownCore?.close(), provider?.close()]);
});

/** Creates an OWNER who has only signed in with the provider, so that there is no password. */
async function ownerWithoutPassword(email: string): Promise<void> {
  const claims = { sub: email, email, email_verified: true, name: 'Grace' };
  const { body } = await new RawClient(core().origin, null).post<ExchangedToken>('auth/exchange/', {
    grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
    subject_token: await provider.idToken(registration, claims),
    subject_token_type: SUBJECT_TOKEN_TYPES[0],
  });
  const { body: user } = await new RawClient(core().origin, `Bearer ${body.access_token}`).get<User>('users/current/');
  await organization.owner.patch(`memberships/${user.membership_id}/`, { role: 'OWNER' });
}

describe(`single sign-on in the console${reason}`, () => {
  journey('is required by an owner who keeps a password, and signs out members with passwords', async () => {
    const [owner, member] = [await memberOf(organization, 'OWNER'), await memberOf(organization, 'ADMIN')];
    await ownerWithoutPassword(`grace@${DOMAIN}`);
    const [here, otherPerson] = [await visitor('/organization'), await visitor('/organization')];
    await otherPerson.signIn(member);
    await otherPerson.page.getByText('Members can sign in with a password as well.').waitFor();
    await otherPerson.live();
    expect(await otherPerson.page.getByRole('checkbox').count()).toBe(0);
    await here.signIn(owner);
    const { page } = here;
    const section = page.getByRole('region', { name: 'Single sign-on' });
    await section.getByRole('row', { name: `Acme Login ${DOMAIN}` }).waitFor();
    await section.getByRole('checkbox', { name: 'Require single sign-on' }).check();
    await section.getByText('All other members must sign in with a provider.').waitFor();
    const choice = section.getByLabel('Break-glass owner');
    const chosen = async () => {
      await choice.getByRole('option', { name: 'Grace' }).waitFor({ state: 'attached' });
      return choice.evaluate(
        (field) => (field as unknown as { selectedOptions: { textContent: string }[] }).selectedOptions[0]?.textContent,
      );
    };
    expect(await chosen()).toBe(`Ada · ${owner.email}`);
    await choice.selectOption(`Grace · grace@${DOMAIN}`);
    const save = section.getByRole('button', { name: 'Save sign-in policy' });
    await save.click();
    await section.getByRole('alert').filter({ hasText: 'who has a password.' }).waitFor();
    expect(await choice.getAttribute('aria-invalid')).toBe('true');
    expect(await here.violationsInEveryLook()).toEqual([]);

    await choice.selectOption(`Ada · ${owner.email}`);
    await save.click();

    await section.getByText('Saved.').waitFor();
    await otherPerson.page.waitForURL('**/sign-in**');
    await otherPerson.signIn(member);
    await otherPerson.page.getByRole('alert').filter({ hasText: 'requires single sign-on' }).waitFor();
    await page.reload();
    expect(await section.getByRole('checkbox').isChecked()).toBe(true);
    expect(await chosen()).toBe(`Ada · ${owner.email}`);
    expect(await here.allErrors()).toEqual([]);

    await section.getByRole('checkbox').uncheck();
    await save.click();
    await section.getByText('Saved.').waitFor();
    await otherPerson.signIn(member);
    await otherPerson.page.getByText('Members can sign in with a password as well.').waitFor();
  });

  journey('cannot be required without an identity provider, which the page says', async () => {
    const otherOrganization: TestOrganization = await core().organization();
    const { page } = await signedIn(otherOrganization, '/organization', { role: 'OWNER' });
    const section = page.getByRole('region', { name: 'Single sign-on' });

    await section.getByText('STRATA_IDENTITY_PROVIDERS').waitFor();

    expect(await section.getByRole('checkbox').count()).toBe(0);
    const { body } = await otherOrganization.owner.get<Organization>(`organizations/${otherOrganization.id}/`);
    await page.getByRole('heading', { name: body.name }).waitFor();
  });
});
