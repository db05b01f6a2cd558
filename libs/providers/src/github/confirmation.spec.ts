import type { ProviderCall } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { ISSUE, provider, SECRETS, startGitHubTests, TENANT, thrownBy, write } from '../testing/github-tests.ts';

const { stand, environment, newInstallation, open, operations } = await startGitHubTests();

/** Strata reads a variable again a minute after it named no or another organization. */
function passMinutes(minutes: number): void {
  const before = Date.now;
  Date.now = () => before() + minutes * 60_000;
}
/** Returns the permissions of the tokens that were requested. */
const permissions = () =>
  stand.calls().flatMap(({ operation, input }) => (operation === ISSUE ? [input.permissions] : []));

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

  it('is not connected without any permission for secrets or files', async () => {
    const { settings, grant } = newInstallation();
    grant({ metadata: 'read', organization_actions_variables: 'read', secrets: 'read' });
    await expect(provider.test(settings, environment(), TENANT)).rejects.toMatchObject({ code: 'missing_permissions' });
    grant({ metadata: 'read', organization_actions_variables: 'read', contents: 'read' });
    expect(await provider.test(settings, environment(), TENANT)).toHaveProperty('gh_organization_slug');
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
