import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AZURE_APPLICATION, startTestAzure } from '@strata/testkit';
import { NO_INSTALLATION } from '../no-installation.ts';
import type { AzureInstallation, ProviderCall, ProviderEnvironment, Store } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { findProvider } from '../providers.ts';

const stand = await startTestAzure();
afterAll(() => stand.close());
afterEach(() => stand.interfere(() => null));
const provider = findProvider('azure_key_vault');
if (!provider) throw new Error('There is no provider for Azure.');

const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };
const LOCATION = { region: null, service: null };
/** The times of a vault are whole seconds, and versions are exact two seconds later. */
const SETTLED_MS = 3_100;

function environment(azure: Partial<AzureInstallation> = {}, calls: ProviderCall[] = [], allowPrivate = true) {
  const { clientId, clientSecret } = AZURE_APPLICATION;
  const addresses = { authorityUrl: stand.endpoint, vaultUrl: `${stand.endpoint}/{vault}` };
  return {
    ...NO_INSTALLATION,
    guard: { allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    azure: { clientId, clientSecret, federatedTokenFile: null, ...addresses, ...azure },
    onCall: (call) => calls.push(call),
  } satisfies ProviderEnvironment;
}

const settings = (more: object = {}) => {
  const { vault_name, tenant_id } = stand.newVault(TENANT.organizationId);
  return { vault_name, tenant_id, resource_tags: { team: 'shop' }, ...more };
};

const openStore = (input: object = settings(), calls: ProviderCall[] = []): Promise<Store> =>
  provider.open({ ...input }, environment({}, calls), LOCATION, TENANT);

const write = (key: string, text: string) => ({ key, text, isSecret: true, owner: 'push-1' });
const operations = () => stand.calls().map(({ operation }) => operation);

describe('Azure Key Vault', () => {
  it('writes, lists and reads a key, with a version that changes with every write', async () => {
    const store = await openStore();

    await store.create(write('shop-a', 'one'));
    await store.create({ ...write('other-b', 'x'), owner: 'push-2' });
    await setTimeout(SETTLED_MS);
    const [listed] = await store.list('shop-', 'push-1');

    expect(listed).toEqual({ key: 'shop-a', version: expect.any(String), owner: 'push-1', isDeleted: false });
    expect(await store.read('shop-a')).toEqual({ text: 'one', version: listed?.version });
    await store.update(write('shop-a', 'two'));
    const current = await store.read('shop-a');
    expect(current?.text).toBe('two');
    expect(current?.version).not.toBe(listed?.version);
    expect((await store.list('', 'push-1')).map(({ key, owner }) => [key, owner])).toEqual([
      ['other-b', 'push-2'],
      ['shop-a', 'push-1'],
      ['strata-organization', null],
    ]);
    store.close();
  });

  it('gives no version twice, although two changes can have the same time', async () => {
    const store = await openStore();
    const versions = [await store.create(write('a', 'one')), await store.update(write('a', 'two'))];
    const [young] = await store.list('a', 'push-1');

    expect(new Set([...versions, young?.version]).size).toBe(3);
    expect((await store.read('a'))?.version).toBe(versions[1]);
    await setTimeout(SETTLED_MS);
    const [settled] = await store.list('a', 'push-1');

    expect(versions).not.toContain(settled?.version);
    expect(await store.read('a')).toEqual({ text: 'two', version: settled?.version });
    store.close();
  });

  it('never creates a key over an existing one, whose case it ignores, and reports a missing key as null', async () => {
    const input = settings();
    const store = await openStore(input);
    expect(store.toKey('Shop/DB_HOST')).toBe('shop-db-host');
    await store.create(write('SHOP-A', 'one'));

    await expect(store.create(write('shop-a', 'CANARY'))).rejects.toMatchObject({ kind: 'conflict' });

    expect((await store.read('shop-a'))?.text).toBe('one');
    expect(await store.list('shop', 'push-1')).toMatchObject([{ key: 'shop-a' }]);
    expect(await store.read('none')).toBeNull();
    store.close();
  });

  it('keeps the tags and the dates of a secret when it writes a new version', async () => {
    const store = await openStore();
    stand.clear();
    await store.create(write('a', 'one'));
    await store.mark('a', 'push-9');

    await store.update(write('a', 'two'));

    const [created, changed] = stand.calls().filter(({ operation }) => operation === 'SetSecret');
    expect(created?.input.tags).toEqual({ team: 'shop', 'strata-push': 'push-1' });
    expect(changed?.input).toMatchObject({
      tags: { team: 'shop', 'strata-push': 'push-9' },
      attributes: { enabled: true },
    });
    store.close();
  });

  it('finds no mark at a version that another program wrote', async () => {
    const vault = stand.newVault(TENANT.organizationId);
    const store = await openStore(vault);
    await store.create(write('a', 'one'));

    vault.write('A', 'theirs');

    expect(await store.list('a', 'push-1')).toMatchObject([{ key: 'a', owner: null }]);
    store.close();
  });

  it('restores a deleted key, which the vault keeps, and never purges one', async () => {
    const store = await openStore();
    await store.create(write('a', 'one'));
    stand.clear();

    await store.remove('a');

    expect(operations()).toEqual([
      'GetSecret',
      'DeleteSecret',
      ...operations()
        .slice(2)
        .map(() => 'GetDeletedSecret'),
    ]);
    expect(await store.list('a', 'push-1')).toMatchObject([{ key: 'a', owner: 'push-1', isDeleted: true }]);
    await expect(store.create(write('a', 'CANARY'))).rejects.toMatchObject({ kind: 'conflict' });
    await store.restore('a');
    expect((await store.read('a'))?.text).toBe('one');
    await store.remove('none');
    expect(operations()).not.toContain('PurgeDeletedSecret');
    store.close();
  });

  it('deletes nothing in a vault without a recovery window', async () => {
    const { vault_name, tenant_id, values } = stand.newVault(TENANT.organizationId, { hasSoftDelete: false });
    const store = await openStore({ vault_name, tenant_id });
    await store.create(write('a', 'one'));

    await expect(store.remove('a')).rejects.toMatchObject({ kind: 'invalid', code: 'no_recovery' });

    expect(values()).toMatchObject({ a: 'one' });
    store.close();
  });

  it('lists 60 keys with the documented number of calls, of which none writes', async () => {
    const input = settings();
    const calls: ProviderCall[] = [];
    const filling = await openStore(input);
    for (let n = 0; n < 59; n += 1) await filling.create(write(`shop-${n}`, 'x'));
    filling.close();
    stand.clear();

    const store = await openStore(input, calls);
    expect(await store.list('', 'push-1')).toHaveLength(60);

    const expected = ['RequestToken', 'GetSecret', 'GetSecrets', 'GetSecrets', 'GetSecrets', 'GetDeletedSecrets'];
    expect(operations()).toEqual(['Challenge', ...expected]);
    expect(calls.map(({ operation }) => operation).sort()).toEqual([...expected].sort());
    expect(calls.filter(({ isWrite }) => isWrite)).toEqual([]);
    store.close();
  });

  it('authenticates the application with a secret, or with the current token in a file', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'strata-')), 'token');
    writeFileSync(file, 'expired');
    const federated = environment({ clientSecret: null, federatedTokenFile: file });
    await expect(provider.test(settings(), federated, TENANT)).rejects.toMatchObject({ kind: 'denied' });

    writeFileSync(file, `${AZURE_APPLICATION.workloadToken}\n`);
    await provider.test(settings(), federated, TENANT);

    const wrong = environment({ clientSecret: 'CANARY' });
    const error = await provider.test(settings(), wrong, TENANT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'denied', code: 'invalid_client', detail: expect.stringContaining('AADSTS') });
    expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
  });

  it('sends nothing to a vault that does not name the organization or belongs to another tenant', async () => {
    const foreign = stand.newVault('5b0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a12');
    const silent = stand.newVault(null);
    for (const vault of [foreign, silent])
      await expect(openStore(vault)).rejects.toMatchObject({
        kind: 'denied',
        code: 'organization_not_confirmed',
        detail: expect.stringContaining(`Set its secret strata-organization to ${TENANT.organizationId}.`),
      });

    stand.clear();
    const moved = settings({ tenant_id: '00000000-0000-4000-8000-00000000000a' });
    await expect(openStore(moved)).rejects.toMatchObject({ kind: 'invalid', code: 'wrong_tenant' });
    expect(operations()).toEqual(['Challenge']);
  });

  it('locates the secret of an external value, and no path that is not one', () => {
    expect(provider.locate('DB-host')).toEqual({ location: LOCATION, key: 'DB-host' });
    for (const path of ['', 'a/b', 'a?b', '../x', 'db_host']) expect(provider.locate(path)).toBeNull();
  });

  it('explains what its settings lack before any request', () => {
    stand.clear();
    const check = (more: object, input = environment()) => provider.check(settings(more), input, LOCATION)?.code;

    expect(check({})).toBeUndefined();
    expect(check({ vault_name: 'evil.example/?' })).toBe('invalid_vault_name');
    expect(check({ vault_name: 'two--hyphens' })).toBe('invalid_vault_name');
    expect(check({}, environment({ clientId: null }))).toBe('no_credentials');
    expect(check({}, environment({ clientSecret: null }))).toBe('no_credentials');
    expect(stand.calls()).toEqual([]);
  });

  it.each`
    code                     | status | kind
    ${'Throttled'}           | ${429} | ${'rate'}
    ${'Forbidden'}           | ${403} | ${'denied'}
    ${'BadParameter'}        | ${400} | ${'invalid'}
    ${'InternalServerError'} | ${500} | ${'retryable'}
    ${'Moved'}               | ${302} | ${'invalid'}
  `('classifies $code as $kind, without the value of the request', async ({ code, status, kind }) => {
    const store = await openStore();
    stand.interfere(({ operation }) => (operation === 'SetSecret' ? { kind: 'error', code, status } : null));

    const error = await store.create(write('a', 'CANARY')).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
    store.close();
  });

  it('hides a reason that repeats the value, and shows the reason for a request without one', async () => {
    const store = await openStore();
    const rejected = await store.create(write('a', 'CANARY'.repeat(5_000))).catch((thrown: unknown) => thrown);
    expect(rejected).toMatchObject({
      code: 'BadParameter',
      detail: 'The provider rejected the request with status 400.',
    });

    stand.interfere(() => ({ kind: 'error', code: 'Forbidden', status: 403 }));
    await expect(store.read('a')).rejects.toMatchObject({ code: 'Forbidden', detail: 'A scripted fault.' });
    store.close();
  });

  it('waits for a throttling vault within one request, and never shortens a list', async () => {
    const store = await openStore();
    let throttled = 0;
    stand.interfere(() => (++throttled === 1 ? { kind: 'error', code: 'Throttled', status: 429 } : null));
    await store.create(write('a', 'one'));

    stand.interfere(() => ({ kind: 'error', code: 'Throttled', status: 429 }));
    await expect(store.list('', 'push-1')).rejects.toMatchObject({ kind: 'rate', retryAfterSeconds: 1 });
    store.close();
  });

  it('reports a broken connection as temporary', async () => {
    const store = await openStore();
    stand.interfere(() => ({ kind: 'lost_response' }));

    await expect(store.read('a')).rejects.toMatchObject({ kind: 'retryable', code: 'ECONNRESET' });
    store.close();
  });

  it('sends no request to a private address unless the operator allows it', async () => {
    const input = settings();
    stand.clear();

    const rejected = provider.test(input, environment({}, [], false), TENANT);

    await expect(rejected).rejects.toMatchObject({ kind: 'invalid', code: 'PRIVATE_ADDRESS' });
    expect(stand.calls()).toEqual([]);
  });
});
