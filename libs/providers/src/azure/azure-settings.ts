import { z } from 'zod';

/** The members of an Azure integration, as the contract names them. */
const Settings = z.object({
  vault_name: z.string(),
  tenant_id: z.string(),
  resource_tags: z.record(z.string(), z.string()).default({}),
});

/** A name with other characters could make the address of the vault one of another host. */
const VAULT_NAME = /^[a-z](?:-?[a-z\d]){2,23}$/;

export interface AzureSettings {
  /** In lower case, because Azure ignores the case. */
  readonly vault: string;
  readonly tenantId: string;
  readonly tags: Readonly<Record<string, string>>;
}

export function readAzureSettings(settings: Readonly<Record<string, unknown>>): AzureSettings {
  const { vault_name: name, tenant_id: tenantId, resource_tags: tags } = Settings.parse(settings);
  return { vault: name.toLowerCase(), tenantId: tenantId.toLowerCase(), tags };
}

export const isVaultName = (name: string): boolean => name.length <= 24 && VAULT_NAME.test(name);
