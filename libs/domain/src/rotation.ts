/**
 * The stages of a rotation. Each one is stored before its work begins, and its work can be repeated:
 * - `idle`: one credential is valid, and it is published.
 * - `creating`: a second credential is being created.
 * - `publishing`: it works, and is about to become the text of the secret.
 * - `acknowledging`: it is published. Instances may still use the previous one.
 * - `draining`: all instances have acknowledged it. The previous one must be unused for the grace period.
 * - `revoking`: the previous one is being revoked.
 */
export const ROTATION_STAGES = ['idle', 'creating', 'publishing', 'acknowledging', 'draining', 'revoking'] as const;
export type RotationStage = (typeof ROTATION_STAGES)[number];

/** The events of a rotation. */
export const ROTATION_EVENTS = [
  /** A rotation is due, and no other credential is valid. */
  'started',
  /** A rotation is due, but an earlier one left another valid credential, which must be revoked first. */
  'retirement_started',
  'created',
  'published',
  'acknowledged',
  /** An instance does not use the published credential. */
  'unacknowledged',
  'unused',
  'used',
  'revoked',
  /** A person aborted the rotation before it published anything, and the new credential was revoked. */
  'discarded',
  /** A person aborted the rotation after the publication. Both credentials stay valid until the next rotation. */
  'aborted',
] as const;
export type RotationEvent = (typeof ROTATION_EVENTS)[number];

const TRANSITIONS: Readonly<Record<RotationStage, Partial<Record<RotationEvent, RotationStage>>>> = {
  idle: { started: 'creating', retirement_started: 'acknowledging' },
  creating: { created: 'publishing', discarded: 'idle' },
  publishing: { published: 'acknowledging', discarded: 'idle' },
  acknowledging: { acknowledged: 'draining', aborted: 'idle' },
  draining: { unused: 'revoking', unacknowledged: 'acknowledging', aborted: 'idle' },
  revoking: { revoked: 'idle', used: 'draining', unacknowledged: 'acknowledging', aborted: 'idle' },
};

/** Returns the stage after an event; null if the event cannot happen in this stage. */
export function nextStage(stage: RotationStage, event: RotationEvent): RotationStage | null {
  return TRANSITIONS[stage][event] ?? null;
}

/** Whether the new credential was not published yet, so that it can be discarded. */
export const isUnpublished = (stage: RotationStage): boolean => stage === 'creating' || stage === 'publishing';

/** How a rotation treats instances that neither acknowledge the new credential nor report anything. */
export const SILENT_POLICIES = ['wait', 'decide', 'revoke_after'] as const;
export type SilentPolicy = (typeof SILENT_POLICIES)[number];

/** An instance that used the secret when it was published, or reported later. */
export interface AwaitedInstance {
  readonly hasAcknowledged: boolean;
  /** Whether it has reported in the last minutes. */
  readonly isAlive: boolean;
  /** Whether a person decided not to wait for it, and it has not reported an older text since then. */
  readonly isDismissed: boolean;
}

export interface AcknowledgementPolicy {
  readonly silent: SilentPolicy;
  /** For `revoke_after`: seconds after the publication. */
  readonly silentAfterSeconds: number;
}

/** Returns whether an instance prevents the revocation. One that still reports an older text always does, even if dismissed. */
export function isBlocking(
  { hasAcknowledged, isAlive, isDismissed }: AwaitedInstance,
  { silent, silentAfterSeconds }: AcknowledgementPolicy,
  secondsSincePublication: number,
): boolean {
  if (hasAcknowledged) return false;
  if (isAlive) return true;
  return !isDismissed && (silent !== 'revoke_after' || secondsSincePublication < silentAfterSeconds);
}

/** A key at a store that a push wrote, and that may contain the previous credential. */
export interface PushedCopy {
  /** Whether the store has the value as of a revision since the publication. */
  readonly isCurrent: boolean;
  /** Whether Strata has deleted the key. */
  readonly isRemoved: boolean;
  /** Whether a person decided not to wait for the push, and it has written nothing to the key since then. */
  readonly isDismissed: boolean;
}

/**
 * Returns whether a key prevents the revocation. No policy excludes it: programs read it at the store, and Strata cannot
 * know when. The previous text of a push that is paused, that has failed, or whose tag is older is there until it runs.
 */
export const isBlockingCopy = ({ isCurrent, isRemoved, isDismissed }: PushedCopy): boolean =>
  !isCurrent && !isRemoved && !isDismissed;

/** Why a push has not replaced a text that may contain the previous credential. */
export const COPY_REASONS = [
  'deleted',
  'read_only',
  'older_tag',
  'undecided',
  'running',
  'failed',
  'not_written',
] as const;
export type CopyReason = (typeof COPY_REASONS)[number];

/** The facts that decide whether a push will replace a text. */
export interface CopyFacts {
  /** Whether the push still exists. */
  readonly exists: boolean;
  /** Whether its runs may write now. */
  readonly mayWrite: boolean;
  /** Whether the tag of the key was not moved since the publication, or does not belong to the push any more. */
  readonly isTagOlder: boolean;
  /** Whether another program changed the key, or the push does not contain it any more. */
  readonly needsDecision: boolean;
  readonly run: 'waiting' | 'failed' | 'ended';
}

/** Returns the first reason that must end before the push can replace the text. */
export function copyReason({ exists, mayWrite, isTagOlder, needsDecision, run }: CopyFacts): CopyReason {
  if (!exists) return 'deleted';
  if (!mayWrite) return 'read_only';
  if (isTagOlder) return 'older_tag';
  if (run === 'waiting') return 'running';
  if (needsDecision) return 'undecided';
  return run === 'failed' ? 'failed' : 'not_written';
}

/** The use of the previous credential right now. */
export interface RevocationFacts {
  /** The number of instances and pushes that prevent the revocation. */
  readonly blocking: number;
  /** Whether all live instances have had the time to report since reports were last interrupted. */
  readonly areReportsComplete: boolean;
  readonly isUsed: boolean;
  readonly unusedSeconds: number;
  readonly graceSeconds: number;
}

/**
 * Returns the event that the facts cause after the publication: the only way to `revoking`. Null to wait. In `revoking`,
 * null means that the credential may be revoked now.
 */
export function acknowledgementEvent(stage: RotationStage, facts: RevocationFacts): RotationEvent | null {
  const { blocking, areReportsComplete, isUsed, unusedSeconds, graceSeconds } = facts;
  if (stage === 'acknowledging') return blocking === 0 && areReportsComplete ? 'acknowledged' : null;
  if (blocking > 0) return 'unacknowledged';
  // The grace period goes on while instances report again.
  if (stage === 'revoking') return isUsed || !areReportsComplete ? 'used' : null;
  return areReportsComplete && !isUsed && unusedSeconds >= graceSeconds ? 'unused' : null;
}

/**
 * Returns how a rotation begins. `otherCredential` is one beside the published one that may be valid. `unknown` means
 * that this rotation did not create it, so that it must not be revoked.
 */
export function rotationStart({
  otherCredential,
  retired,
  isOwned,
}: {
  readonly otherCredential: string | null;
  /** The credential that this rotation revoked last. */
  readonly retired: string | null;
  /** Whether the other credential belongs to this rotation. */
  readonly isOwned: boolean;
}): 'started' | 'retirement_started' | 'unknown' {
  if (otherCredential === null || otherCredential === retired) return 'started';
  return isOwned ? 'retirement_started' : 'unknown';
}
