import { assertNamesOrganization } from '../organization-confirmation.ts';
import type {
  AzureInstallation,
  CloudProvider,
  ProviderEnvironment,
  ProviderSettings,
  ProviderTenant,
  Store,
  StoreLocation,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { testStore } from '../test-store.ts';
import { credentialsProblem, openAzureSession } from './azure-session.ts';
import { type AzureSettings, isVaultName, readAzureSettings } from './azure-settings.ts';
import { openKeyVault, vaultKeys } from './key-vault.ts';

/** A vault has one store without folders. */
const STORE: StoreLocation = { region: null, service: null };

/** Azure Key Vault, through the operator's application in the customer's tenant. */
export const azureKeyVault: CloudProvider = {
  locationHint: 'Write it as azure://tenant/vault/name, with letters, digits and hyphens in the name.',
  locate: (path) => (/^[a-z\d-]+$/i.test(path) ? { location: STORE, key: path } : null),
  toPath: ({ key }) => key,
  findFolder: (_settings, path) => (path === '' ? { location: STORE, prefix: '' } : null),
  keySpace: (settings) => vaultKeys(readAzureSettings(settings).vault),
  isEnabled: ({ azure }) => credentialsProblem(azure) === null,
  check: (settings, { azure }) => problem(readAzureSettings(settings), azure),
  test: async (settings, environment, tenant) => testStore(await open(settings, environment, tenant)),
  open: (settings, environment, _location, tenant) => open(settings, environment, tenant),
};

async function open(
  settings: ProviderSettings,
  environment: ProviderEnvironment,
  tenant: ProviderTenant,
): Promise<Store> {
  const azureSettings = readAzureSettings(settings);
  const rejection = problem(azureSettings, environment.azure);
  if (rejection !== null) throw rejection;
  const session = await openAzureSession(azureSettings, environment);
  const store = openKeyVault(session, azureSettings);
  try {
    await assertNamesOrganization(store, `vault ${azureSettings.vault}`, tenant);
    return store;
  } catch (error) {
    session.close();
    throw error;
  }
}

function problem({ vault }: AzureSettings, azure: AzureInstallation): ProviderError | null {
  const missing = credentialsProblem(azure);
  if (missing !== null || isVaultName(vault)) return missing;
  return new ProviderError({
    kind: 'invalid',
    code: 'invalid_vault_name',
    member: 'vault_name',
    detail: `${vault} is not the name of a vault. It has 3 to 24 letters, digits and single hyphens.`,
  });
}
