import { z } from 'zod';
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
import { credentialsProblem, type GitHubSession, openGitHubSession, readJson } from './github-session.ts';
import { type GitHubSettings, readGitHubSettings } from './github-settings.ts';
import { FILE_PATH, openRepositoryFiles } from './repository-files.ts';

/** The variable of a GitHub organization that names the organization of Strata which may use the installation. */
const CONFIRMATION = 'STRATA_ORGANIZATION';
const FILES: StoreLocation = { region: null, service: 'contents' };

/** An installation in an enterprise has no login. */
const InstallationOf = z.object({ account: z.object({ login: z.string() }).nullable().catch(null) });
const Variable = z.object({ value: z.string() });

/** Secrets of GitHub Actions, and files of repositories, through an installation of the operator's app. */
export const github: CloudProvider = {
  locationHint: 'Write it as github://organization/repository/branch/path. Write a slash in the branch as %2F.',
  locate: (path) => (FILE_PATH.test(path) ? { location: FILES, key: path } : null),
  isEnabled: ({ github: installation }) => credentialsProblem(installation) === null,
  keySpace: (settings) => {
    const githubSettings = readGitHubSettings(settings);
    return githubSettings && actionsKeys(githubSettings);
  },
  check: (settings, environment) => problem(readGitHubSettings(settings), environment),
  test: async (settings, environment, tenant) => {
    const { session, organization, githubSettings } = await connect(settings, environment, tenant);
    await testStore(openActionsSecrets(session, organization, githubSettings));
    return { gh_organization_slug: organization };
  },
  open: async (settings, environment, { service }, tenant): Promise<Store> => {
    const { session, organization, githubSettings } = await connect(settings, environment, tenant);
    if (service === FILES.service) return openRepositoryFiles(session, organization);
    return openActionsSecrets(session, organization, githubSettings);
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
    return { session, organization: await confirm(session, githubSettings, tenant), githubSettings };
  } catch (error) {
    session.close();
    throw error;
  }
}

/**
 * Returns the login of the GitHub organization. All permanent errors are alike, so that they do not reveal which
 * installations exist, and whose they are.
 */
async function confirm(
  session: GitHubSession,
  { installationId }: GitHubSettings,
  { organizationId }: ProviderTenant,
): Promise<string> {
  try {
    const path = ['app', 'installations', String(installationId)];
    const installation = await session.sendAsApp('apps/get-installation', { path });
    const login = (await readJson(installation, InstallationOf)).account?.login ?? '';
    const variable = await session.send('actions/get-org-variable', {
      path: ['orgs', login, 'actions', 'variables', CONFIRMATION],
    });
    if ((await readJson(variable, Variable)).value.trim() === organizationId) return login;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isTemporary || error.code === 'invalid_credentials') throw error;
    if (error.code === 'PRIVATE_ADDRESS') throw error;
  }
  throw unconfirmed(installationId, organizationId);
}

const unconfirmed = (installationId: number, organizationId: string) =>
  new ProviderError({
    kind: 'denied',
    code: 'organization_not_confirmed',
    detail: `The installation ${installationId} does not exist, is suspended, or belongs to no GitHub organization that allows this organization. Set the variable ${CONFIRMATION} of the GitHub organization to ${organizationId}.`,
  });

const problem = (settings: GitHubSettings | null, { github: installation }: ProviderEnvironment) =>
  credentialsProblem(installation) ?? (settings === null ? noInstallation() : null);

const noInstallation = () =>
  new ProviderError({
    kind: 'invalid',
    code: 'invalid_installation_id',
    member: 'gh_installation_id',
    detail: 'The id of an installation is a positive number.',
  });
