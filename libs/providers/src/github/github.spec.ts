import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startTestGitHub } from '@strata/testkit';
import { NO_INSTALLATION } from '../no-installation.ts';
import type { GitHubInstallation, ProviderCall, ProviderEnvironment, Store, StoreLocation } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { findProvider } from '../providers.ts';

const stand = await startTestGitHub();
afterAll(() => stand.close());
const { now } = Date;
afterEach(() => {
  stand.interfere(() => null);
  Date.now = now;
});
const provider = findProvider('github');
if (!provider) throw new Error('There is no provider for GitHub.');

const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };
const SECRETS: StoreLocation = { region: null, service: null };
const PUT = 'actions/create-or-update-repo-secret';
const ISSUE = 'apps/create-installation-access-token';

function environment(app: Partial<GitHubInstallation> = {}, calls: ProviderCall[] = [], allowPrivate = true) {
  const { appId, privateKey, endpoint: apiUrl } = stand;
  return {
    ...NO_INSTALLATION,
    guard: { allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    github: { appId, privateKey, apiUrl, ...app },
    onCall: (call) => calls.push(call),
  } satisfies ProviderEnvironment;
}

function newInstallation(organizationId: string | null = TENANT.organizationId) {
  const installation = stand.newInstallation(organizationId);
  installation.repositories.add('shop', 'production');
  return { ...installation, settings: { gh_installation_id: installation.gh_installation_id } };
}

const open = (settings: object, location = SECRETS, calls: ProviderCall[] = []): Promise<Store> =>
  provider.open({ ...settings }, environment({}, calls), location, TENANT);

const write = (key: string, text: string) => ({ key, text, isSecret: true, owner: 'push-1' });
const operations = () => stand.calls().map(({ operation }) => operation);
/** Strata reads a variable again a minute after it named no or another organization. */
function passMinutes(minutes: number): void {
  const before = Date.now;
  Date.now = () => before() + minutes * 60_000;
}
/** Returns the permissions of the tokens that were requested. */
const permissions = () =>
  stand.calls().flatMap(({ operation, input }) => (operation === ISSUE ? [input.permissions] : []));
const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

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

describe('files of GitHub repositories', () => {
  it('are read at a branch, also if its name or the path has special characters', async () => {
    const { repositories, organization, settings } = newInstallation();
    repositories.writeFile('shop', 'feature/1', 'config/a b.json', '{"a": 1}');
    repositories.writeFile('shop', 'main', 'logo.png', Buffer.from([0xff, 0xfe]));
    const location = provider.locate('shop/feature%2F1/config/a%20b.json');
    if (!location) throw new Error('The location is valid.');
    const store = await open(settings, location.location);

    expect(organization).toMatch(/^Acme-/);
    expect(await store.read(location.key)).toMatchObject({ text: '{"a": 1}' });
    expect(await store.read('shop/main/logo.png')).toMatchObject({ text: null });
    for (const key of [
      'shop/main/none',
      'shop/feature%2F1/config',
      'none/main/a',
      'shop/main/../a',
      'shop/main/%E0%A4',
    ])
      expect(await store.read(key)).toBeNull();
    await expect(store.create(write('shop/main/a', 'x'))).rejects.toMatchObject({ code: 'read_only' });
    store.close();
  });

  it('are not read beyond a mebibyte', async () => {
    const { repositories, settings } = newInstallation();
    repositories.writeFile('shop', 'main', 'large', 'x'.repeat(1_048_577));
    const store = await open(settings, { region: null, service: 'contents' });

    await expect(store.read('shop/main/large')).rejects.toMatchObject({ kind: 'invalid', code: 'content_too_large' });
    store.close();
  });

  it.each(['', 'shop', 'shop/main', 'shop/main/', '/main/a'])('have no location %s', (text) => {
    expect(provider.locate(text)).toBeNull();
  });
});

describe('an installation of the app', () => {
  it('is used only if its GitHub organization names the organization, and otherwise has the error of a missing one', async () => {
    const { settings, confirm, organization } = newInstallation(null);
    const tested = () => provider.test(settings, environment(), TENANT);
    const missing = await thrownBy(provider.test({ gh_installation_id: 1 }, environment(), TENANT));
    expect(missing).toMatchObject({ kind: 'denied', code: 'organization_not_confirmed' });
    expect((missing as ProviderError).member).toBeNull();
    const expected = (missing as ProviderError).detail.replace(
      'installation 1',
      `installation ${settings.gh_installation_id}`,
    );
    expect(expected).toContain(`STRATA_ORGANIZATION of the GitHub organization to ${TENANT.organizationId}.`);

    for (const named of [null, '8d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', `${TENANT.organizationId}0`]) {
      confirm(named);
      passMinutes(1);
      expect(await thrownBy(tested())).toMatchObject({ code: 'organization_not_confirmed', detail: expected });
      await expect(open(settings)).rejects.toMatchObject({ code: 'organization_not_confirmed' });
    }
    for (const forbidden of [ISSUE, 'actions/get-org-variable']) {
      stand.interfere(({ operation }) => (operation === forbidden ? { kind: 'error', code: 'x', status: 403 } : null));
      passMinutes(1);
      expect(await thrownBy(tested())).toMatchObject({ code: 'organization_not_confirmed', detail: expected });
    }
    stand.interfere(() => null);
    confirm(`${TENANT.organizationId}\n`);
    passMinutes(1);

    expect(await tested()).toEqual({ gh_organization_slug: organization });
  });

  it('is read once a minute for an organization that it does not name, also by requests at the same time', async () => {
    const { settings, confirm } = newInstallation(null);
    stand.clear();

    const reads = Array.from({ length: 5 }, () => thrownBy(open(settings)));
    for (const error of await Promise.all(reads)) expect(error).toMatchObject({ code: 'organization_not_confirmed' });

    expect(operations()).toEqual(['apps/get-installation', ISSUE, 'actions/get-org-variable']);
    confirm(TENANT.organizationId);
    await expect(open(settings)).rejects.toMatchObject({ code: 'organization_not_confirmed' });
    passMinutes(1);
    (await open(settings)).close();
    // A removed variable has an effect at once.
    confirm(null);
    await expect(open(settings)).rejects.toMatchObject({ code: 'organization_not_confirmed' });
  });

  it('shows its rate limit only to an organization that it has named', async () => {
    const { settings } = newInstallation();
    const limit = () =>
      stand.interfere(({ operation }) =>
        operation === 'actions/get-org-variable' ? { kind: 'error', code: 'primary', status: 403 } : null,
      );
    limit();
    expect(await thrownBy(open(settings))).toMatchObject({ kind: 'denied', code: 'organization_not_confirmed' });

    stand.interfere(() => null);
    passMinutes(1);
    (await open(settings)).close();
    limit();
    expect(await thrownBy(open(settings))).toMatchObject({ kind: 'rate', code: 'rate_limited' });
  });

  it('gives each request a token with no other permissions than it needs', async () => {
    const { settings, repositories } = newInstallation();
    repositories.writeFile('shop', 'main', 'a', 'x');
    stand.clear();

    const store = await open(settings);
    const confirmed = { organization_actions_variables: 'read' };
    expect(permissions()).toEqual([confirmed]);
    await store.list('', 'push-1', new Set(['shop/KEY', 'shop/production/KEY']));
    expect(permissions()).toEqual([confirmed, { secrets: 'read' }, { environments: 'read' }]);
    await store.create(write('shop/KEY', 'x'));
    await store.create(write('shop/production/KEY', 'x'));
    expect(permissions().slice(3)).toEqual([{ secrets: 'write' }, { environments: 'write' }]);
    store.close();

    stand.clear();
    const files = await open(settings, { region: null, service: 'contents' });
    await files.read('shop/main/a');
    expect(permissions()).toEqual([confirmed, { contents: 'read' }]);
    files.close();
  });

  it('names a permission that its owner has not accepted, and is not a missing secret if it was removed', async () => {
    const { settings, grant } = newInstallation();
    grant({ metadata: 'read', secrets: 'write', organization_actions_variables: 'read' });
    const store = await open(settings);

    const denied = await thrownBy(store.read('shop/production/KEY'));
    expect(denied).toMatchObject({ kind: 'denied', code: 'missing_permissions' });
    expect((denied as ProviderError).detail).toContain('environments: read');
    stand.interfere(({ operation }) => (operation === ISSUE ? { kind: 'error', code: 'x', status: 404 } : null));
    await expect(store.read('shop/KEY')).rejects.toMatchObject({ kind: 'denied', code: 'no_installation' });
    store.close();
  });

  it('is tested without a write', async () => {
    const { settings } = newInstallation();
    const calls: ProviderCall[] = [];

    await provider.test(settings, environment({}, calls), TENANT);

    expect(calls).toEqual([
      { operation: 'apps/get-installation', isWrite: false },
      { operation: 'apps/create-installation-access-token', isWrite: false },
      { operation: 'actions/get-org-variable', isWrite: false },
    ]);
  });

  it('needs the app and its key', async () => {
    const { settings } = newInstallation();
    expect(provider.check(settings, environment({ appId: null }), SECRETS)?.code).toBe('no_credentials');
    expect(provider.check(settings, environment({ privateKey: null }), SECRETS)?.code).toBe('no_credentials');
    expect(provider.isEnabled(environment({ appId: null }))).toBe(false);
    expect(provider.check({ gh_installation_id: 0 }, environment(), SECRETS)).toMatchObject({
      code: 'invalid_installation_id',
      member: 'gh_installation_id',
    });
    const malformed = '-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----\n';
    for (const app of [{ privateKey: malformed }, { privateKey: 'CANARY' }, { appId: '7' }]) {
      const error = await thrownBy(provider.test(settings, environment(app), TENANT));
      expect(error).toMatchObject({ kind: 'denied', code: 'invalid_credentials' });
      expect(JSON.stringify(error) + String(error)).not.toContain('CANARY');
    }
  });
});

describe('errors of GitHub', () => {
  it.each`
    code           | status | kind           | pause
    ${'forbidden'} | ${403} | ${'denied'}    | ${null}
    ${'secondary'} | ${403} | ${'rate'}      | ${60}
    ${'primary'}   | ${403} | ${'rate'}      | ${120}
    ${'many'}      | ${429} | ${'rate'}      | ${0}
    ${'invalid'}   | ${422} | ${'invalid'}   | ${null}
    ${'conflict'}  | ${409} | ${'conflict'}  | ${null}
    ${'broken'}    | ${502} | ${'retryable'} | ${null}
  `('with $status $code are $kind, without the text or the token', async ({ code, status, kind, pause }) => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(({ operation }) => (operation === PUT ? { kind: 'error', code, status } : null));

    const error = await thrownBy(store.create(write('shop/KEY', 'CANARY')));

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    const { retryAfterSeconds } = error as ProviderError;
    if (pause === null) expect(retryAfterSeconds).toBeNull();
    else expect(Math.abs((retryAfterSeconds ?? Number.NaN) - pause)).toBeLessThanOrEqual(2);
    for (const secret of ['CANARY', ...stand.tokens()])
      expect(JSON.stringify(error) + String(error)).not.toContain(secret);
    store.close();
  });

  it('in a compressed response are rejected, because its length is not limited', async () => {
    const { settings } = newInstallation();
    let requests = 0;
    const server = http.createServer((_request, response) => {
      requests += 1;
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"account": {"login": "acme"}}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const tested = provider.test(settings, environment({ apiUrl }), TENANT);

    await expect(tested).rejects.toMatchObject({ kind: 'retryable', code: 'unexpected_response' });
    expect(requests).toBe(1);
    server.closeAllConnections();
    server.close();
  });

  it('of a write are not repeated, because the secret can change meanwhile', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(({ operation }) => (operation === PUT ? { kind: 'error', code: 'many', status: 429 } : null));
    stand.clear();

    await expect(store.create(write('shop/KEY', 'ours'))).rejects.toMatchObject({ kind: 'rate' });

    expect(operations().filter((operation) => operation === PUT)).toHaveLength(1);
    store.close();
  });

  it('that lose a response are temporary', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(() => ({ kind: 'lost_response' }));

    await expect(store.read('shop/KEY')).rejects.toMatchObject({ kind: 'retryable' });
    store.close();
  });

  it('keep requests from private addresses unless the operator allows them, and from a closed fence', async () => {
    const { settings } = newInstallation();
    stand.clear();

    const rejected = provider.test(settings, environment({}, [], false), TENANT);
    await expect(rejected).rejects.toMatchObject({ kind: 'invalid', code: 'PRIVATE_ADDRESS' });
    const fence = { isOpen: () => false, signal: new AbortController().signal };
    const { guard, ...rest } = environment();
    const fenced = provider.test(settings, { ...rest, guard: { ...guard, fence } }, TENANT);
    await expect(fenced).rejects.toMatchObject({ kind: 'retryable', code: 'FENCE_CLOSED' });

    expect(stand.calls()).toEqual([]);
  });
});
