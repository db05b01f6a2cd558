import type { IntegrationInput, ProviderName } from '@strata/contract';
import type { ObjectType } from '@strata/domain';

export type IntegrationSettings = Readonly<Record<string, unknown>>;

interface Kind {
  readonly objectType: ObjectType;
  /**
   * Returns the columns for the provider-specific fields of the request. `storedSettings` contains the stored ones.
   * `externalId` replaces the external id of the request, because a chosen one could be that of another organization.
   */
  settings(input: IntegrationInput, storedSettings: IntegrationSettings, externalId: string): IntegrationSettings;
  /** Returns the unique name of the integration, and its path at the provider. */
  identity(settings: IntegrationSettings): { readonly name: string; readonly fqn: string };
}

const text = (settings: IntegrationSettings, key: string) => String(settings[key] ?? '');

/** The differences between the providers. */
export const KINDS: Readonly<Record<ProviderName, Kind>> = {
  aws: {
    objectType: 'AwsIntegration',
    settings: (input, storedSettings, externalId) => ({
      aws_account_id: input.aws_account_id ?? storedSettings.aws_account_id,
      aws_enabled_regions: input.aws_enabled_regions ?? storedSettings.aws_enabled_regions,
      aws_enabled_services: input.aws_enabled_services ?? storedSettings.aws_enabled_services,
      aws_external_id: externalId,
      aws_kms_key_id:
        input.aws_kms_key_id === undefined ? (storedSettings.aws_kms_key_id ?? null) : input.aws_kms_key_id,
      aws_role_name: input.aws_role_name ?? storedSettings.aws_role_name,
      resource_tags: input.resource_tags ?? storedSettings.resource_tags ?? {},
    }),
    identity: (settings) => {
      const [account, role] = [text(settings, 'aws_account_id'), text(settings, 'aws_role_name')];
      return { name: `${role}@${account}`, fqn: `aws://${account}/${role}` };
    },
  },
  azure_key_vault: {
    objectType: 'AzureKeyVaultIntegration',
    settings: (input, storedSettings) => ({
      vault_name: storedSettings.vault_name ?? input.vault_name,
      tenant_id: storedSettings.tenant_id ?? input.tenant_id,
      resource_tags: input.resource_tags ?? storedSettings.resource_tags ?? {},
    }),
    identity: (settings) => {
      const [vault, tenant] = [text(settings, 'vault_name'), text(settings, 'tenant_id')];
      return { name: `${vault}@${tenant}`, fqn: `azure://${tenant}/${vault}` };
    },
  },
  google_secret_manager: {
    objectType: 'GoogleSecretManagerIntegration',
    settings: (input, storedSettings) => ({
      google_project_id: storedSettings.google_project_id ?? input.google_project_id,
      resource_tags: input.resource_tags ?? storedSettings.resource_tags ?? {},
    }),
    identity: (settings) => {
      const project = text(settings, 'google_project_id');
      return { name: project, fqn: `google://${project}` };
    },
  },
  github: {
    objectType: 'GitHubIntegration',
    // A test of the connection finds out which organization an installation belongs to.
    settings: (input, storedSettings) => ({
      gh_installation_id: storedSettings.gh_installation_id ?? input.gh_installation_id,
      gh_organization_slug: input.gh_organization_slug ?? storedSettings.gh_organization_slug ?? '',
    }),
    identity: (settings) => {
      const slug = text(settings, 'gh_organization_slug');
      const name = slug === '' ? `installation-${text(settings, 'gh_installation_id')}` : slug;
      return { name, fqn: `github://${name}` };
    },
  },
};
