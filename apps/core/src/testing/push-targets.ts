import { NO_INSTALLATION, type ProviderEnvironment } from '@strata/providers';
import {
  AWS_CREDENTIALS,
  AZURE_APPLICATION,
  newAwsAccount,
  type TestAws,
  type TestAzure,
  type TestGitHub,
  type TestGoogle,
} from '@strata/testkit';

const REGION = 'eu-central-1';

/** A store at a provider that no other test uses. */
export interface PushTarget {
  /** The path and the body of the request that creates the integration. */
  readonly path: string;
  readonly integration: object;
  /** The members of a push that name the store and the keys. */
  readonly push: { readonly region?: string; readonly service?: string; readonly resource: string };
  readonly provider: string;
  readonly installation: Partial<ProviderEnvironment>;
}

export const awsTarget = ({ endpoint }: TestAws, service: string): PushTarget => ({
  path: 'aws',
  integration: {
    aws_account_id: newAwsAccount(),
    aws_role_name: 'strata',
    aws_enabled_regions: [REGION],
    aws_enabled_services: ['ssm', 'secretsmanager', 's3'],
    writable: true,
  },
  push: { region: REGION, service, resource: '/shop/{{ parameter }}' },
  provider: 'aws',
  installation: { aws: { ...NO_INSTALLATION.aws, ...AWS_CREDENTIALS, allowsOwnAccount: true, endpoint } },
});

export function azureTarget({ endpoint, newVault }: TestAzure, organizationId: string): PushTarget {
  const { vault_name, tenant_id } = newVault(organizationId);
  const addresses = { authorityUrl: endpoint, vaultUrl: `${endpoint}/{vault}` };
  return {
    path: 'azure/key_vault',
    integration: { vault_name, tenant_id, writable: true },
    push: { resource: 'shop-{{ parameter }}' },
    provider: 'azure_key_vault',
    installation: { azure: { ...NO_INSTALLATION.azure, ...AZURE_APPLICATION, ...addresses } },
  };
}

export const googleTarget = ({ credentialsFile, endpoint }: TestGoogle, projectId: string): PushTarget => ({
  path: 'google/secret_manager',
  integration: { google_project_id: projectId, writable: true },
  push: { resource: 'shop-{{ parameter }}' },
  provider: 'google_secret_manager',
  installation: { google: { credentialsFile, secretManagerUrl: endpoint } },
});

export const githubTarget = (
  { appId, privateKey, endpoint: apiUrl }: TestGitHub,
  installationId: number,
): PushTarget => ({
  path: 'github',
  integration: { gh_installation_id: installationId, writable: true },
  push: { resource: 'shop/{{ parameter }}' },
  provider: 'github',
  installation: { github: { appId, privateKey, apiUrl } },
});
