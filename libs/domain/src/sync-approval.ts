import type { PlannedKey } from './sync-plan.ts';

/** The parts of a planned key that a person approves. */
export type ApprovedKey = Pick<PlannedKey, 'key' | 'state' | 'action' | 'reason' | 'version'>;

/** The conditions under which a run may execute its plan. */
export interface ApprovalConditions {
  /** Whether the push stops with a plan before it does what people usually want to see first. */
  readonly planFirst: boolean;
  /** Whether the push has written nothing yet. */
  readonly isFirst: boolean;
  /** Whether this is the plan that a person approved; null if no person approved a plan for the run. */
  readonly isApproved: boolean | null;
}

const CHANGING: readonly string[] = ['create', 'restore', 'update', 'delete', 'take_over', 'import'];
const UNUSUAL_STATES: readonly string[] = ['foreign', 'drifted'];
const UNUSUAL_REASONS: readonly string[] = [
  'changed_elsewhere',
  'write_unconfirmed',
  'mark_removed',
  'removal_undecided',
];

/** Returns whether a run would do something at this key, or whether a person has to decide about it. */
export function needsAttention({ state, action, reason }: Pick<PlannedKey, 'state' | 'action' | 'reason'>): boolean {
  if (action === 'forget') return false;
  if (state === 'failed' || reason === 'removal_undecided') return true;
  return CHANGING.includes(action) || UNUSUAL_STATES.includes(state);
}

/** Returns a text that is equal for plans that do the same, key by key. The order of the keys has no effect. */
export function syncPlanText(keys: readonly ApprovedKey[]): string {
  return keys
    .filter(needsAttention)
    .map(({ key, state, action, version }) => JSON.stringify([key, state, action, version]))
    .sort()
    .join('\n');
}

/** Why a run stops after its plan; null if it may continue. */
export const STOP_REASONS = ['approval_required', 'plan_changed'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** The errors of a push that occur after it has listed the store. */
export const ERRORS_AFTER_LISTING: readonly string[] = [
  ...STOP_REASONS,
  ...['foreign_keys', 'drifted_keys', 'failed_keys', 'undecided_removals', 'store_changed'],
];

/**
 * Decides about a plan without decisions about single keys. A plan that a person approved runs only if it is still the
 * same. Other runs of a push that plans first stop before their first write, before deletions, and at keys that another
 * program wrote or changed.
 */
export function stopAfterPlan(
  plannedKeys: readonly ApprovedKey[],
  { planFirst, isFirst, isApproved }: ApprovalConditions,
): StopReason | null {
  if (isApproved !== null) return isApproved ? null : 'plan_changed';
  if (!planFirst) return null;
  const relevantKeys = plannedKeys.filter(needsAttention);
  const stops = isFirst ? relevantKeys.length > 0 : relevantKeys.some(isUnusual);
  return stops ? 'approval_required' : null;
}

const isUnusual = ({ state, action, reason }: ApprovedKey): boolean =>
  action === 'delete' || UNUSUAL_STATES.includes(state) || UNUSUAL_REASONS.includes(reason);
