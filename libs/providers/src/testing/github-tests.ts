import { startTestGitHub } from '@strata/testkit';
import { NO_INSTALLATION } from '../no-installation.ts';
import type { GitHubInstallation, ProviderCall, ProviderEnvironment, Store, StoreLocation } from '../provider.ts';
import { findProvider } from '../providers.ts';

export const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };
export const SECRETS: StoreLocation = { region: null, service: null };
/** The operations of GitHub that tests look for. */
export const PUT = 'actions/create-or-update-repo-secret';
export const ISSUE = 'apps/create-installation-access-token';

const found = findProvider('github');
if (!found) throw new Error('There is no provider for GitHub.');
export const provider = found;

/** Starts the stand-in of GitHub for the tests of a file. */
export async function startGitHubTests() {
  const stand = await startTestGitHub();
  const { now } = Date;
  afterAll(() => stand.close());
  afterEach(() => {
    stand.interfere(() => null);
    Date.now = now;
  });

  function environment(app: Partial<GitHubInstallation> = {}, calls: ProviderCall[] = [], allowPrivate = true) {
    const { appId, privateKey, endpoint: apiUrl } = stand;
    return {
      ...NO_INSTALLATION,
      guard: { allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' },
      github: { appId, privateKey, apiUrl, ...app },
      onCall: (call) => calls.push(call),
    } satisfies ProviderEnvironment;
  }

  return {
    stand,
    environment,
    newInstallation: (organizationId: string | null = TENANT.organizationId) => {
      const installation = stand.newInstallation(organizationId);
      installation.repositories.add('shop', 'production');
      return { ...installation, settings: { gh_installation_id: installation.gh_installation_id } };
    },
    open: (settings: object, location = SECRETS): Promise<Store> =>
      provider.open({ ...settings }, environment(), location, TENANT),
    operations: () => stand.calls().map(({ operation }) => operation),
  };
}

export const write = (key: string, text: string) => ({ key, text, isSecret: true, owner: 'push-1' });
export const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
