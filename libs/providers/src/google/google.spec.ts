import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestGoogle } from '@strata/testkit';
import { NO_INSTALLATION } from '../no-installation.ts';
import type { ProviderCall, ProviderEnvironment, Store } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { findProvider } from '../providers.ts';

const stand = await startTestGoogle();
afterAll(() => stand.close());
afterEach(() => stand.interfere(() => null));
const provider = findProvider('google_secret_manager');
if (!provider) throw new Error('There is no provider for Google.');

const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };
const LOCATION = { region: null, service: null };
const WRITES = ['CreateSecret', 'AddSecretVersion', 'UpdateSecret', 'EnableSecretVersion', 'DisableSecretVersion'];

function environment(
  calls: ProviderCall[] = [],
  { allowPrivate = true, file = stand.credentialsFile as string | null } = {},
) {
  return {
    ...NO_INSTALLATION,
    guard: { allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    google: { credentialsFile: file, secretManagerUrl: stand.endpoint },
    onCall: (call) => calls.push(call),
  } satisfies ProviderEnvironment;
}

function newProject(more: object = {}) {
  const { google_project_id, secrets } = stand.newProject(TENANT.organizationId);
  return { secrets, settings: { google_project_id, resource_tags: { team: 'shop' }, ...more } };
}

const openStore = (settings: object = newProject().settings, calls: ProviderCall[] = []): Promise<Store> =>
  provider.open({ ...settings }, environment(calls), LOCATION, TENANT);

const write = (key: string, text: string) => ({ key, text, isSecret: true, owner: 'push-1' });
const operations = () => stand.calls().map(({ operation }) => operation);

describe('Google Secret Manager', () => {
  it('writes, looks up and reads a key, with a version that changes with every write', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);

    const first = await store.create(write('shop-a', 'one'));
    const current = await store.find?.('shop-a', 'push-1');

    expect(current).toEqual({ key: 'shop-a', version: first, owner: 'push-1', isDeleted: false });
    expect(await store.read('shop-a')).toEqual({ text: 'one', version: first });
    expect(secrets.labels('shop-a')).toEqual({ team: 'shop', 'strata-push': 'push-1' });
    const second = await store.update(write('shop-a', 'two'));
    expect(await store.read('shop-a')).toEqual({ text: 'two', version: second });
    expect(second).not.toBe(first);
    expect(await store.list('shop-', 'push-1')).toMatchObject([{ key: 'shop-a', owner: 'push-1', version: null }]);
    store.close();
  });

  it('never creates a key over an existing one, and reports a missing key as null', async () => {
    const { secrets, settings } = newProject();
    secrets.write('shop-a', 'theirs');
    const store = await openStore(settings);
    expect(store.toKey('/Shop/db.HOST_1')).toBe('Shop-db-HOST_1');

    await expect(store.create(write('shop-a', 'CANARY'))).rejects.toMatchObject({ kind: 'conflict' });

    expect(secrets.values()['shop-a']).toBe('theirs');
    expect(await store.read('none')).toBeNull();
    expect(await store.find?.('none', 'push-1')).toBeNull();
    expect(await store.find?.('shop-a', 'push-1')).toMatchObject({ owner: null });
    store.close();
  });

  it('finishes a creation that was interrupted before the first version', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);
    stand.interfere(({ operation }) =>
      operation === 'AddSecretVersion' ? { kind: 'error', code: 'INTERNAL', status: 500 } : null,
    );
    await expect(store.create(write('a', 'one'))).rejects.toMatchObject({ kind: 'retryable' });
    stand.interfere(() => null);

    expect(await store.find?.('a', 'push-1')).toBeNull();
    expect(await store.find?.('a', 'push-2')).toMatchObject({ owner: 'push-1', version: null });
    await expect(store.create({ ...write('a', 'x'), owner: 'push-2' })).rejects.toMatchObject({ kind: 'conflict' });
    await store.create(write('a', 'one'));

    expect(secrets.values().a).toBe('one');
    store.close();
  });

  it('removes a key by disabling its versions, restores it, and never deletes or destroys', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);
    await store.create(write('a', 'one'));
    await store.update(write('a', 'two'));
    stand.clear();

    await store.remove('a');
    await store.remove('none');

    expect(secrets.states('a')).toEqual(['DISABLED', 'DISABLED']);
    expect(await store.read('a')).toBeNull();
    expect(await store.find?.('a', 'push-1')).toMatchObject({ isDeleted: true, owner: 'push-1' });
    await store.restore('a');
    expect(secrets.states('a')).toEqual(['DISABLED', 'ENABLED']);
    expect((await store.read('a'))?.text).toBe('two');
    expect(operations()).not.toContain('DeleteSecret');
    expect(operations()).not.toContain('DestroySecretVersion');
    store.close();
  });

  it('removes the rest of a key after an interrupted removal', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);
    await store.create(write('a', 'one'));
    await store.update(write('a', 'two'));
    let changes = 0;
    stand.interfere(({ operation }) => {
      changes += operation === 'DisableSecretVersion' ? 1 : 0;
      return changes === 2 ? { kind: 'error', code: 'INTERNAL', status: 500 } : null;
    });
    await expect(store.remove('a')).rejects.toMatchObject({ kind: 'retryable' });
    stand.interfere(() => null);

    expect(await store.find?.('a', 'push-1')).toMatchObject({ isDeleted: false });
    await store.remove('a');

    expect(secrets.states('a')).toEqual(['DISABLED', 'DISABLED']);
    store.close();
  });

  it.each(['CreateSecret', 'AddSecretVersion'])(
    'reports a rule of the project that forbids %s, and no conflict',
    async (forbidden) => {
      const { secrets, settings } = newProject();
      const store = await openStore(settings);
      stand.interfere(({ operation }) =>
        operation === forbidden ? { kind: 'error', code: 'FAILED_PRECONDITION', status: 400 } : null,
      );

      const error = { kind: 'invalid', code: 'FAILED_PRECONDITION' };
      await expect(store.create(write('a', 'one'))).rejects.toMatchObject(error);

      expect(secrets.values().a ?? null).toBeNull();
      store.close();
    },
  );

  it('gives a secret that another program created again a version of its own', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);
    const version = await store.create(write('a', 'one'));
    secrets.answer({ method: 'DELETE', path: ['secrets', 'a'], verb: '', query: new URLSearchParams(), body: {} });
    secrets.write('a', 'theirs');

    expect(await store.find?.('a', 'push-1')).toMatchObject({ version: expect.stringMatching(/^1@/) });
    expect((await store.read('a'))?.version).not.toBe(version);
    store.close();
  });

  it('marks a key without losing its labels', async () => {
    const { secrets, settings } = newProject();
    const store = await openStore(settings);
    await store.create(write('a', 'one'));
    await store.mark('a', 'push-9');

    expect(secrets.labels('a')).toEqual({ team: 'shop', 'strata-push': 'push-9' });
    store.close();
  });

  it('lists 300 keys with two requests, and reports every request, of which none writes', async () => {
    const { secrets, settings } = newProject();
    for (let n = 0; n < 299; n += 1) secrets.write(`shop-${n}`, 'x');
    stand.clear();
    const calls: ProviderCall[] = [];

    const store = await openStore(settings, calls);
    expect(await store.list('shop-', 'push-1')).toHaveLength(299);

    const expected = ['GetSecretVersion', 'AccessSecretVersion', 'ListSecrets', 'ListSecrets'];
    expect(operations()).toEqual(expected);
    expect(calls.map(({ operation }) => operation)).toEqual(expected);
    expect(stand.calls().at(-1)?.input).toMatchObject({ fields: 'secrets(name,labels),nextPageToken' });
    await store.create(write('new', 'one'));
    await store.mark('new', 'push-2');
    await store.remove('new');
    await store.restore('new');
    const writes = calls.filter(({ isWrite }) => isWrite).map(({ operation }) => operation);
    expect(new Set(writes)).toEqual(new Set(WRITES));
    store.close();
  });

  it('sends nothing to a project that does not name the organization', async () => {
    const foreign = stand.newProject('5b0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a12');
    const silent = stand.newProject(null);
    for (const project of [foreign, silent])
      await expect(openStore(project)).rejects.toMatchObject({
        kind: 'denied',
        code: 'organization_not_confirmed',
        detail: expect.stringContaining(`Set its secret strata-organization to ${TENANT.organizationId}.`),
      });
    await expect(openStore({ google_project_id: 'unknown-project' })).rejects.toMatchObject({
      kind: 'denied',
      code: 'PERMISSION_DENIED',
      detail: 'The caller does not have permission.',
    });
  });

  it('explains what its settings lack, without the content of the file', async () => {
    const check = (input: object, file: string | null = 'key.json') =>
      provider.check({ google_project_id: 'project-1', ...input }, environment([], { file }), LOCATION)?.code;
    expect(check({})).toBeUndefined();
    expect(check({ google_project_id: 'a/../b' })).toBe('invalid_project_id');
    expect(check({}, null)).toBe('no_credentials');

    const file = path.join(await mkdtemp(path.join(tmpdir(), 'strata-')), 'key.json');
    const keys = [
      { type: 'authorized_user', refresh_token: 'CANARY' },
      { type: 'service_account', client_email: 'a@example.com', private_key: 'CANARY' },
    ];
    for (const key of keys) {
      writeFileSync(file, JSON.stringify(key));
      const error = await provider
        .test(newProject().settings, environment([], { file }), TENANT)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: 'denied', code: 'invalid_credentials' });
      expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
    }
  });

  it('locates the secret of an external value, and no path that is not one', () => {
    expect(provider.locate('DB_host-1')).toEqual({ location: LOCATION, key: 'DB_host-1' });
    for (const text of ['', 'a/b', 'a?b', '../x', 'a:access']) expect(provider.locate(text)).toBeNull();
  });

  it.each`
    code                    | status | kind
    ${'PERMISSION_DENIED'}  | ${403} | ${'denied'}
    ${'INVALID_ARGUMENT'}   | ${400} | ${'invalid'}
    ${'RESOURCE_EXHAUSTED'} | ${429} | ${'rate'}
    ${'INTERNAL'}           | ${500} | ${'retryable'}
  `('classifies $code as $kind, without the value of the request', async ({ code, status, kind }) => {
    const store = await openStore();
    stand.interfere(({ operation }) => (operation === 'AddSecretVersion' ? { kind: 'error', code, status } : null));

    const error = await store.create(write('a', 'CANARY')).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
    expect(JSON.stringify(error) + String(error)).not.toContain(Buffer.from('CANARY').toString('base64'));
    store.close();
  });

  it('reports a broken connection as temporary', async () => {
    const store = await openStore();
    stand.interfere(() => ({ kind: 'lost_response' }));

    await expect(store.read('a')).rejects.toMatchObject({ kind: 'retryable' });
    store.close();
  });

  it('sends no request to a private address unless the operator allows it, and none after its fence has closed', async () => {
    const { settings } = newProject();
    stand.clear();

    const rejected = provider.test(settings, environment([], { allowPrivate: false }), TENANT);
    await expect(rejected).rejects.toMatchObject({ kind: 'invalid', code: 'PRIVATE_ADDRESS' });
    const fence = { isOpen: () => false, signal: new AbortController().signal };
    const { guard, ...rest } = environment();
    const fenced = provider.test(settings, { ...rest, guard: { ...guard, fence } }, TENANT);
    await expect(fenced).rejects.toMatchObject({ kind: 'retryable', code: 'FENCE_CLOSED' });

    expect(stand.calls()).toEqual([]);
  });
});
