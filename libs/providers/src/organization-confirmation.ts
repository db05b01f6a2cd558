import type { ProviderTenant, Store } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** The secret of a store that names the organization which may use the store. */
const CONFIRMATION = 'strata-organization';

/**
 * Throws unless the store names the organization. All organizations use the same credentials of the operator, so without
 * this another organization could choose a store whose owner trusts the operator.
 */
export async function assertNamesOrganization(
  store: Store,
  label: string,
  { organizationId }: ProviderTenant,
): Promise<void> {
  const confirmation = await store.read(CONFIRMATION);
  if (confirmation?.text?.trim() === organizationId) return;
  throw new ProviderError({
    kind: 'denied',
    code: 'organization_not_confirmed',
    detail: `The ${label} does not allow this organization. Set its secret ${CONFIRMATION} to ${organizationId}.`,
  });
}
