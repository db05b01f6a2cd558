import { createHash } from 'node:crypto';
import { type PrintedPlan, planText } from '@strata/domain';

const PREFIX = 'text:';

/**
 * Identifies the effects of a plan. Hashes of plans differ by account; the text of a plan does not, if both accounts have
 * the same access. Leaves out when programs last read what is deleted, because they read while a pull request is open.
 */
export function effectsHash(plan: PrintedPlan): string {
  const changes = plan.changes.map((change) => ({ ...change, last_read_at: null, last_read_by: null }));
  return (
    PREFIX +
    createHash('sha256')
      .update(planText({ ...plan, changes }))
      .digest('hex')
  );
}

export const isEffectsHash = (hash: string): boolean => hash.startsWith(PREFIX);

/** Returns whether the lists of a plan contain all of its entries, so that its text identifies it. */
export function isComplete({ totals, ...plan }: PrintedPlan): boolean {
  const lists = ['effective_changes', 'changes', 'refusals', 'blocking_references', 'uncovered'] as const;
  const others = ['access', 'expirations', 'webhooks'] as const;
  return [...lists, ...others].every((list) => plan[list].length === totals[list]);
}
