import type {
  CloudProvider,
  ProviderEnvironment,
  ProviderSettings,
  ProviderTenant,
  Store,
  StoreLocation,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { testStore } from '../test-store.ts';
import { actionsKeys, openActionsSecrets } from './actions-secrets.ts';
import { type ConfirmedInstallation, confirmInstallation } from './confirmation.ts';
import { credentialsProblem, missingPermissionsError, openGitHubSession } from './github-session.ts';
import { type GitHubSettings, readGitHubSettings } from './github-settings.ts';
import { FILE_PATH, openRepositoryFiles } from './repository-files.ts';

const FILES: StoreLocation = { region: null, service: 'contents' };

/** Secrets of GitHub Actions, and files of repositories, through an installation of the operator's app. */
export const github: CloudProvider = {
  locationHint: 'Write it as github://organization/repository/branch/path. Write a slash in the branch as %2F.',
  locate: (path) => (FILE_PATH.test(path) ? { location: FILES, key: path } : null),
  toPath: ({ key }) => key,
  // Each folder would need requests of its own, so files are read by their path only.
  findFolder: () => null,
  isEnabled: ({ github: installation }) => credentialsProblem(installation) === null,
  keySpace: (settings) => {
    const githubSettings = readGitHubSettings(settings);
    return githubSettings && actionsKeys(githubSettings);
  },
  check: (settings, environment) => problem(readGitHubSettings(settings), environment),
  test: async (settings, environment, tenant) => {
    const { session, installation, githubSettings } = await connect(settings, environment, tenant);
    await testStore(openActionsSecrets(session, installation.login, githubSettings));
    assertUsable(installation);
    return { gh_organization_slug: installation.login };
  },
  open: async (settings, environment, { service }, tenant): Promise<Store> => {
    const { session, installation, githubSettings } = await connect(settings, environment, tenant);
    if (service === FILES.service) return openRepositoryFiles(session, installation.login);
    return openActionsSecrets(session, installation.login, githubSettings);
  },
};

/**
 * Connects to the installation of an organization that names the tenant. All tenants use the operator's app, so without
 * this another tenant could choose the installation.
 */
async function connect(settings: ProviderSettings, environment: ProviderEnvironment, tenant: ProviderTenant) {
  const githubSettings = readGitHubSettings(settings);
  const rejection = problem(githubSettings, environment);
  if (githubSettings === null || rejection !== null) throw rejection ?? noInstallation();
  const session = openGitHubSession(githubSettings.installationId, environment);
  try {
    return { session, installation: await confirmInstallation(session, githubSettings, tenant), githubSettings };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Throws if the installation has none of the permissions that pushes and files need. Each needs only some of them. */
function assertUsable({ granted }: ConfirmedInstallation): void {
  const isUsable = 'contents' in granted || granted.secrets === 'write' || granted.environments === 'write';
  if (!isUsable) throw missingPermissionsError({ contents: 'read', secrets: 'write', environments: 'write' });
}

const problem = (settings: GitHubSettings | null, { github: installation }: ProviderEnvironment) =>
  credentialsProblem(installation) ?? (settings === null ? noInstallation() : null);

const noInstallation = () =>
  new ProviderError({
    kind: 'invalid',
    code: 'invalid_installation_id',
    member: 'gh_installation_id',
    detail: 'The id of an installation is a positive number.',
  });
