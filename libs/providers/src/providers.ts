import { aws } from './aws/aws.ts';
import { azureKeyVault } from './azure/azure.ts';
import { github } from './github/github.ts';
import { googleSecretManager } from './google/google.ts';
import type { CloudProvider } from './provider.ts';

/** The providers that Strata connects to, by the name of the contract. A provider that is missing here is only stored. */
const PROVIDERS: Readonly<Partial<Record<string, CloudProvider>>> = {
  aws,
  azure_key_vault: azureKeyVault,
  google_secret_manager: googleSecretManager,
  github,
};

export const findProvider = (name: string): CloudProvider | null => PROVIDERS[name] ?? null;
