import type { AuthToken, Page, Session } from '@strata/contract';
import { createTestDatabase, RawClient, type TestDatabase } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson, requestToken } from '../../testing/people.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';
import { waitUntil } from '../../testing/until.ts';

let database: TestDatabase;
let proxy: SilentProxy;
/** The core whose connections to the database can be delayed. */
let core: CoreInProcess;
let otherCore: CoreInProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  otherCore = await startSecondCore({ database });
});
beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  core = await startSecondCore({ database: { url: proxy.url } });
});
afterEach(async () => {
  await core.close();
  await proxy.close();
});
afterAll(async () => {
  await otherCore.close();
  await database.drop();
});

/** Looks up a credential, and runs `revoke` before the result of the lookup arrives. */
async function whileLookedUp(client: RawClient, statement: string, revoke: () => Promise<{ status: number }>) {
  const deliver = proxy.holdAnswersTo(statement);
  const { ChangeNotifier } = await moduleOfCore<typeof import('../notifications/change-notifier.ts')>(
    './platform/notifications/change-notifier.js',
  );
  const first = client.get('projects/');
  await waitUntil(
    async () => proxy.heldCount,
    (count) => count > 0,
  );
  const notified = new Set<string | null>();
  core.core.app.get(ChangeNotifier).onChange((organizationId) => notified.add(organizationId));
  expect((await revoke()).status).toBeLessThan(300);
  // Notifications arrive in order, so that of a later write follows that of the revocation.
  const laterOrganization = await otherCore.organization();
  await laterOrganization.value();
  await waitUntil(
    async () => notified.has(laterOrganization.id),
    (isNotified) => isNotified,
  );
  deliver();
  await first;
  return client.get('projects/');
}

describe('a credential that is revoked during its lookup', () => {
  it('stays valid if only content changes', async () => {
    const organization = await otherCore.organization();
    const account = await serviceAccount(organization, { role: 'VIEWER' });
    const client = new RawClient(core.origin, `Api-Key ${account.apikey}`);
    const value = await organization.value();

    const after = await whileLookedUp(client, 'api_key.secret_hmac', () =>
      organization.owner.patch(value.url, { internal_value: 'after' }),
    );

    expect(after.status).toBe(200);
  });

  it('is rejected afterwards: an API key', async () => {
    const organization = await otherCore.organization();
    const account = await serviceAccount(organization, { role: 'VIEWER' });
    const client = new RawClient(core.origin, `Api-Key ${account.apikey}`);

    const after = await whileLookedUp(client, 'api_key.secret_hmac', () =>
      organization.owner.post(`${account.url}rekey/`),
    );

    expect(after).toMatchObject({ status: 403, headers: { 'x-error-code': 'bad_credential' } });
  });

  it('is rejected afterwards: a session, whose end creates no revision', async () => {
    const organization = await otherCore.organization();
    const { email, password } = await createPerson(otherCore, organization.id, 'VIEWER');
    const signIn = await new RawClient(otherCore.origin, null).post<AuthToken>('auth/session/', { email, password });
    const authorization = `Bearer ${signIn.body.access_token}`;
    const otherClient = new RawClient(otherCore.origin, authorization);
    const { body } = await otherClient.get<Page<Session>>('users/current/sessions/');

    const after = await whileLookedUp(new RawClient(core.origin, authorization), 'session.secret_hmac', () =>
      otherClient.delete(`users/current/sessions/${body.results[0]?.id}/`),
    );

    expect(after).toMatchObject({ status: 403, headers: { 'x-error-code': 'bad_credential' } });
  });

  it('is rejected afterwards: a token of a former member', async () => {
    const organization = await otherCore.organization();
    const member = await createPerson(otherCore, organization.id, 'VIEWER');
    const client = new RawClient(core.origin, `Bearer ${await requestToken(otherCore, member, organization.id)}`);

    const after = await whileLookedUp(client, 'issuer_subject', () =>
      organization.owner.delete(`memberships/${member.membershipId}/`),
    );

    expect(after).toMatchObject({ status: 403, headers: { 'x-error-code': 'bad_credential' } });
  });
});
