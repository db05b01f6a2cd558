import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, RawClient, type TestDatabase } from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson, requestToken } from '../../testing/people.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';

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

/**
 * A revocation reaches other processes within milliseconds. The tests wait longer, so that a busy machine does not
 * matter.
 */
const NOTIFIED_MS = 500;

/** Looks up a credential, and runs `revoke` before the result of the lookup arrives. */
async function whileLookedUp(client: RawClient, statement: string, revoke: () => Promise<{ status: number }>) {
  const deliver = proxy.holdAnswersTo(statement);
  const first = client.get('projects/');
  await sleep(100);
  expect((await revoke()).status).toBeLessThan(300);
  await sleep(NOTIFIED_MS);
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
