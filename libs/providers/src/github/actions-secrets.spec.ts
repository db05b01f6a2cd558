import { ProviderError } from '../provider-error.ts';
import { ISSUE, PUT, provider, SECRETS, startGitHubTests, thrownBy, write } from '../testing/github-tests.ts';

const { stand, newInstallation, open, operations } = await startGitHubTests();

describe('secrets of GitHub Actions', () => {
  it('are written encrypted to repositories and environments, and have the time of the last change as version', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    stand.clear();

    const version = await store.create(write('shop/DB_HOST', 'CANARY 🔑'));
    await store.create(write('shop/production/DB_HOST', 'two'));

    expect(repositories.secrets()).toEqual({ 'shop/DB_HOST': 'CANARY 🔑', 'shop/production/DB_HOST': 'two' });
    expect(JSON.stringify(stand.calls())).not.toContain('CANARY');
    expect(await store.read('shop/DB_HOST')).toEqual({ text: null, version });
    expect(await store.find?.('shop/DB_HOST', 'push-1')).toEqual({ key: 'shop/DB_HOST', version, isDeleted: false });
    repositories.writeSecret('shop/DB_HOST', 'theirs');
    expect((await store.read('shop/DB_HOST'))?.version).not.toBe(version);
    store.close();
  });

  it('are listed with all pages of the repositories and environments that matter, and of no others', async () => {
    const { repositories, settings } = newInstallation();
    repositories.add('other');
    const names = Array.from({ length: 101 }, (_, index) => `KEY_${index + 100}`);
    for (const name of names) repositories.writeSecret(`shop/${name}`, 'x');
    repositories.writeSecret('shop/production/KEY', 'x');
    repositories.writeSecret('other/KEY', 'x');
    const store = await open(settings);
    stand.clear();

    const keys = new Set(['shop/KEY_100', 'shop/production/KEY']);
    const listed = await store.list('', 'push-1', keys);

    expect(listed.map(({ key }) => key)).toEqual([...names.map((name) => `shop/${name}`), 'shop/production/KEY']);
    expect(listed.every(({ owner }) => owner === undefined)).toBe(true);
    const list = 'actions/list-repo-secrets';
    expect(operations()).toEqual([ISSUE, list, list, ISSUE, 'actions/list-environment-secrets']);
    store.close();
  });

  it('are never created over an existing one', async () => {
    const { repositories, settings } = newInstallation();
    repositories.writeSecret('shop/KEY', 'theirs');
    const store = await open(settings);
    stand.clear();

    await expect(store.create(write('shop/KEY', 'ours'))).rejects.toMatchObject({ kind: 'conflict' });

    expect(repositories.secrets()).toEqual({ 'shop/KEY': 'theirs' });
    expect(operations()).not.toContain(PUT);
    store.close();
  });

  it('are reported as changed if another program writes between the write and the read of its time', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    let reads = 0;
    stand.interfere(({ operation }) => {
      reads += operation === 'actions/get-repo-secret' ? 1 : 0;
      const later = new Date(Date.now() + 5_000).toISOString();
      return reads === 2 ? { kind: 'answer', body: { name: 'KEY', created_at: later, updated_at: later } } : null;
    });

    const error = { kind: 'conflict', code: 'concurrent_change' };
    await expect(store.create(write('shop/KEY', 'ours'))).rejects.toMatchObject(error);

    expect(repositories.secrets()).toEqual({ 'shop/KEY': 'ours' });
    store.close();
  });

  it('are read again if a server of GitHub is behind', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);
    let reads = 0;
    stand.interfere(({ operation }) => {
      reads += operation === 'actions/get-repo-secret' ? 1 : 0;
      return reads === 2 ? { kind: 'error', code: 'behind', status: 404 } : null;
    });

    const version = await store.create(write('shop/KEY', 'ours'));

    expect(await store.read('shop/KEY')).toEqual({ text: null, version });
    store.close();
  });

  it('are repeated with the new public key if GitHub has replaced it', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    await store.create(write('shop/A', 'one'));
    repositories.replacePublicKey('shop');

    await store.create(write('shop/B', 'two'));

    expect(repositories.secrets()).toEqual({ 'shop/A': 'one', 'shop/B': 'two' });
    store.close();
  });

  it.each`
    failures | status | result
    ${2}     | ${502} | ${'written'}
    ${9}     | ${502} | ${'write_unconfirmed'}
    ${9}     | ${403} | ${'write_unconfirmed'}
  `('are not rejected if their time cannot be read after the write: $failures × $status', async (row) => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    let reads = 0;
    stand.interfere(({ operation }) => {
      reads += operation === 'actions/get-repo-secret' ? 1 : 0;
      return reads > 1 && reads <= row.failures + 1 ? { kind: 'error', code: 'broken', status: row.status } : null;
    });

    const result = await thrownBy(store.create(write('shop/KEY', 'ours')).then(() => ({ code: 'written' })));

    expect(result).toMatchObject({ code: row.result });
    expect((result as ProviderError).isTemporary ?? true).toBe(true);
    expect(repositories.secrets()).toEqual({ 'shop/KEY': 'ours' });
    store.close();
  });

  it('are changed and removed only in the version that was read', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    for (const name of ['A', 'B']) await store.create(write(`shop/${name}`, 'ours'));
    for (const name of ['A', 'B']) await store.read(`shop/${name}`);
    // A write can wait between the check of the caller and the request.
    for (const name of ['A', 'B']) repositories.writeSecret(`shop/${name}`, 'theirs');

    const changed = { kind: 'conflict', code: 'concurrent_change' };
    await expect(store.update(write('shop/A', 'new'))).rejects.toMatchObject(changed);
    await expect(store.remove('shop/B')).rejects.toMatchObject(changed);

    expect(repositories.secrets()).toEqual({ 'shop/A': 'theirs', 'shop/B': 'theirs' });
    store.close();
  });

  it('are not claimed if the creation has replaced another secret', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(({ operation }) => {
      if (operation === PUT) repositories.writeSecret('shop/KEY', 'theirs');
      return null;
    });

    await expect(store.create(write('shop/KEY', 'ours'))).rejects.toMatchObject({ kind: 'conflict' });
    store.close();
  });

  it('are removed for good, cannot be restored, and may be missing', async () => {
    const { repositories, settings } = newInstallation();
    const store = await open(settings);
    await store.create(write('shop/KEY', 'ours'));

    await store.remove('shop/KEY');
    await store.remove('shop/KEY');

    expect(repositories.secrets()).toEqual({});
    expect(await store.read('shop/KEY')).toBeNull();
    await expect(store.restore('shop/KEY')).rejects.toMatchObject({ kind: 'invalid', code: 'no_recovery' });
    store.close();
  });

  it('need a repository that the installation includes', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);

    for (const key of ['none/KEY', 'shop/none/KEY'])
      await expect(store.create(write(key, 'x'))).rejects.toMatchObject({ kind: 'invalid', code: 'no_repository' });
    // Its keys do not count as deleted, because the repository may only be hidden from the app.
    const listed = store.list('', 'push-1', new Set(['none/KEY']));
    await expect(listed).rejects.toMatchObject({ kind: 'invalid', code: 'no_repository' });
    store.close();
  });

  it.each`
    name                      | key                      | isValid
    ${'Shop/db.host-1'}       | ${'shop/DB_HOST_1'}      | ${true}
    ${'/shop/Production/key'} | ${'shop/production/KEY'} | ${true}
    ${'KEY'}                  | ${'KEY'}                 | ${false}
    ${'shop/1KEY'}            | ${'shop/1KEY'}           | ${false}
    ${'shop/github_token'}    | ${'shop/GITHUB_TOKEN'}   | ${false}
    ${'shop/key äöü'}         | ${'shop/KEY ÄÖÜ'}        | ${false}
    ${'../key'}               | ${'../KEY'}              | ${false}
    ${'shop/../key'}          | ${'shop/../KEY'}         | ${false}
    ${'shop/a/b/key'}         | ${'shop/a/b/KEY'}        | ${false}
  `('have names that GitHub accepts: $name', async ({ name, key, isValid }) => {
    const { settings } = newInstallation();
    const store = await open(settings);

    expect(store.toKey(name)).toBe(key);
    expect(provider.keySpace(settings, SECRETS)?.toKey(name)).toBe(key);
    expect(store.limits.key.test(key)).toBe(isValid);
    expect(store.limits.keyRule).toMatch(/starts neither with a digit nor with GITHUB_/);
    store.close();
  });
});
