import { assertNamesOrganization } from '../organization-confirmation.ts';
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
import { credentialsProblem, openGoogleSession } from './google-session.ts';
import { type GoogleSettings, isProjectId, readGoogleSettings } from './google-settings.ts';
import { openSecretManager, projectKeys } from './secret-manager.ts';

/** A project has one store without folders. */
const STORE: StoreLocation = { region: null, service: null };

/** Google Secret Manager, through the operator's service account. */
export const googleSecretManager: CloudProvider = {
  locationHint: 'Write it as google://project/name, with letters, digits, hyphens and underscores in the name.',
  locate: (path) => (/^[\w-]+$/.test(path) ? { location: STORE, key: path } : null),
  toPath: ({ key }) => key,
  findFolder: (_settings, path) => (path === '' ? { location: STORE, prefix: '' } : null),
  keySpace: (settings) => projectKeys(readGoogleSettings(settings).project),
  isEnabled: ({ google }) => credentialsProblem(google) === null,
  check: (settings, environment) => problem(readGoogleSettings(settings), environment),
  test: async (settings, environment, tenant) => testStore(await open(settings, environment, tenant)),
  open: (settings, environment, _location, tenant) => open(settings, environment, tenant),
};

async function open(
  settings: ProviderSettings,
  environment: ProviderEnvironment,
  tenant: ProviderTenant,
): Promise<Store> {
  const googleSettings = readGoogleSettings(settings);
  const rejection = problem(googleSettings, environment);
  if (rejection !== null) throw rejection;
  const store = openSecretManager(await openGoogleSession(environment), googleSettings);
  try {
    await assertNamesOrganization(store, `project ${googleSettings.project}`, tenant);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

function problem({ project }: GoogleSettings, { google }: ProviderEnvironment): ProviderError | null {
  const missing = credentialsProblem(google);
  if (missing !== null || isProjectId(project)) return missing;
  return new ProviderError({
    kind: 'invalid',
    code: 'invalid_project_id',
    member: 'google_project_id',
    detail: `${project} is not the id of a project. It has 6 to 30 lower-case letters, digits and hyphens.`,
  });
}
