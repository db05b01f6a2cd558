import { setTimeout } from 'node:timers/promises';
import type { ConnectionTest, Integration } from '@strata/contract';
import { AzurePushFixture, type PushedShop } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';

let at: AzurePushFixture;
beforeAll(async () => {
  at = await AzurePushFixture.open();
});
afterAll(() => at.close());
afterEach(() => at.azure.interfere(() => null));

const WRITES = /^(Set|Update|Delete|Recover|Purge)/;
const operations = () => at.azure.calls().map(({ operation }) => operation);
const writes = () => operations().filter((operation) => WRITES.test(operation));
/** The times of a vault are whole seconds, and a young version is read again. */
const settled = () => setTimeout(3_100);

async function texts(shop: PushedShop) {
  const { 'strata-organization': _, ...written } = await shop.texts();
  return written;
}

describe('an integration with Azure Key Vault', () => {
  it('is not stored with the tenant of another vault, and shows whether the vault names the organization', async () => {
    const { owner, id } = await at.core.organization();
    const vault = at.azure.newVault(id);
    const silentVault = at.azure.newVault(null);
    const create = (body: object) => owner.post<Integration>('integrations/azure/key_vault/', body);

    const moved = await create({ vault_name: vault.vault_name, tenant_id: silentVault.tenant_id });
    expect(moved).toMatchObject({ status: 400, headers: { 'x-error-code': 'settings_rejected' } });
    expect(moved.body).toEqual({ tenant_id: [expect.stringContaining(`belongs to the tenant ${vault.tenant_id}`)] });

    const { vault_name, tenant_id } = silentVault;
    const unconfirmed = await create({ vault_name, tenant_id });
    expect(unconfirmed).toMatchObject({ status: 201, body: { status: 'errored' } });
    expect(unconfirmed.body.status_detail).toContain(`Set its secret strata-organization to ${id}.`);
    const tested = await owner.post<ConnectionTest>(`${unconfirmed.body.url}test/`);
    expect(tested).toMatchObject({ status: 200, body: { status: 'errored', error_code: 'provider_denied' } });
    const confirmed = await create({ vault_name: vault.vault_name, tenant_id: vault.tenant_id });
    expect(confirmed).toMatchObject({ status: 201, body: { status: 'connected', status_detail: '' } });
  });
});

describe('a push to Azure Key Vault', () => {
  it('writes the values of its tag, and then writes and reads nothing while nothing differs', async () => {
    const shop = await at.shop({ DB_HOST: 'db.example', PASSWORD: 'hunter2' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success', error_code: null });
    expect(await texts(shop)).toEqual({ 'shop-db-host': 'db.example', 'shop-password': 'hunter2' });
    expect(await push.steps()).toMatchObject([
      { operation: 'create', success: true, fqn: expect.stringMatching(/\/shop-(db-host|password)$/) },
      { operation: 'create', success: true, parameter_name: expect.stringMatching(/DB_HOST|PASSWORD/) },
    ]);
    await settled();
    expect(await push.run()).toMatchObject({ state: 'success' });
    at.azure.clear();
    for (let interval = 0; interval < 3; interval += 1) expect(await push.run()).toMatchObject({ state: 'success' });
    const interval = ['Challenge', 'RequestToken', 'GetSecret', 'GetSecrets', 'GetDeletedSecrets'];
    expect(operations()).toEqual([...interval, ...interval, ...interval]);
    expect(await push.steps()).toEqual([]);
  });

  it('changes nothing at a key that another program wrote, also if the case of its name differs', async () => {
    const shop = await at.shop({ HOST: 'ours', PASSWORD: 'ours' });
    await shop.writeElsewhere('Shop-Host', 'theirs');

    const push = await shop.push({ force: true });

    expect(await push.latest()).toMatchObject({
      state: 'failure',
      error_code: 'foreign_keys',
      error_detail: expect.stringMatching(/^1 key was not written by this push/),
    });
    expect(await texts(shop)).toEqual({ 'shop-host': 'theirs', 'shop-password': 'ours' });
  });

  it('updates its keys, deletes them with the recovery window, and recovers them before it writes them again', async () => {
    const shop = await at.shop({ HOST: 'old', PORT: '80' });
    const push = await shop.push();
    await shop.set('HOST', 'new');
    await shop.remove('PORT');
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await texts(shop)).toEqual({ 'shop-host': 'new' });

    await shop.set('PORT', '81');
    at.azure.clear();
    expect(await push.move()).toMatchObject({ state: 'success' });

    expect(writes()).toEqual(['RecoverDeletedSecret', 'SetSecret']);
    expect(await texts(shop)).toEqual({ 'shop-host': 'new', 'shop-port': '81' });
  });

  it('keeps an old key if its resource changes, and another program has written the new one', async () => {
    const shop = await at.shop({ DB_HOST: 'ours' });
    const push = await shop.push();
    await shop.writeElsewhere('app-db-host', 'theirs');

    await shop.organization.owner.patch(push.push.url, { resource: 'App_{{ parameter }}' });

    expect(await push.ended()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });
    expect(await texts(shop)).toEqual({ 'app-db-host': 'theirs', 'shop-db-host': 'ours' });
  });

  it('reports a text that another program changed, and overwrites it only with force', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const push = await shop.push();
    await shop.writeElsewhere('shop-host', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    await shop.organization.owner.patch(push.push.url, { force: true });
    expect(await push.ended()).toMatchObject({ state: 'success' });
    expect(await texts(shop)).toEqual({ 'shop-host': 'ours' });
  });

  it('writes no key whose name the vault does not accept or that two parameters have', async () => {
    const shop = await at.shop({ DB_HOST: 'one', 'DB-HOST': 'two', 'a:b': 'three', PORT: '80' });

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'failed_keys' });
    expect(await texts(shop)).toEqual({ 'shop-port': '80' });
    const failed = (await push.steps()).filter(({ success }) => !success);
    expect(failed.map(({ error_detail: detail }) => detail).sort()).toEqual([
      'The store does not accept this key. Use letters, digits and hyphens. Underscores, dots and slashes become hyphens.',
      'Two values of the push have this key.',
    ]);
  });

  it('is no condition to read a secret as an external value, which the vault must allow, too', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('db-password', 'theirs');
    const parameter = await shop.organization.parameter({ project: shop.project, name: 'DB', secret: true });
    const environment = await shop.organization.environmentNamed('production');
    const fqn = `${shop.integration.fqn}/db-password`;
    const input = { environment: environment.url, external: true, external_fqn: fqn };

    expect(await owner.post(`${parameter.url}values/`, input)).toMatchObject({
      status: 201,
      body: { value: 'theirs' },
    });

    await shop.writeElsewhere('strata-organization', (await at.core.organization()).id);
    const secondParameter = await shop.organization.parameter({ project: shop.project, name: 'DB2', secret: true });
    expect(await owner.post(`${secondParameter.url}values/`, input)).toMatchObject({
      status: 400,
      text: expect.stringContaining('does not allow this organization'),
    });
  });

  it('sends no value to a vault that names another organization', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    const otherOrganization = await at.core.organization();
    await shop.writeElsewhere('strata-organization', otherOrganization.id);

    at.azure.clear();

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({
      state: 'failure',
      error_code: 'provider_denied',
      error_detail: expect.stringContaining(`Set its secret strata-organization to ${shop.organization.id}.`),
    });
    expect(writes()).toEqual([]);
  });

  it('repairs a write whose response was lost', async () => {
    const shop = await at.shop({ HOST: 'ours' });
    let lost = 0;
    at.azure.interfere(({ operation }) =>
      operation === 'SetSecret' && ++lost === 1 ? { kind: 'lost_response' } : null,
    );

    const push = await shop.push();

    expect(await push.latest()).toMatchObject({ state: 'success' });
    expect([lost, await texts(shop)]).toEqual([1, { 'shop-host': 'ours' }]);
  });

  it('stores no text, and neither the secret nor a token of the application', async () => {
    const shop = await at.shop({ HOST: 'canary-0c9e7d' });
    await shop.push();

    const tables = await query<{ name: string }>(
      at.core,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    for (const { name } of tables) {
      const pattern = 'canary-0c9e7d|stand-in~client~secret';
      const rows = await query(at.core, `select 1 from ${name} stored where stored::text ~ '${pattern}'`);
      expect([name, rows]).toEqual([name, []]);
    }
  });
});
