import { type ApprovedKey, type OrganizationId, type StopReason, syncPlanText } from '@strata/domain';
import type { Vault } from '../../../platform/vault/vault.ts';
import { shorten } from './push-outcome.ts';
import type { RunError } from './run-store.ts';

/** Identifies a plan. The hash is keyed, because a plan can contain keys that its reader may not see. */
export function hashPlan(vault: Vault, organizationId: OrganizationId, keys: readonly ApprovedKey[]): Promise<string> {
  const stored = keys.map((entry) => ({ ...entry, key: shorten(entry.key) }));
  return vault.mac(organizationId, 'sync-plan', syncPlanText(stored));
}

const DETAILS: Readonly<Record<StopReason, string>> = {
  approval_required: 'The plan waits for approval. Nothing was written. Review the plan of the push and approve it.',
  plan_changed:
    'The store or the values changed after the plan was approved. Nothing was written. Review the new plan.',
};

export const describeStop = (reason: StopReason): RunError => ({ code: reason, detail: DETAILS[reason] });
