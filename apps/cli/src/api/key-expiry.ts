import { PROPOSED_KEY_DAYS } from '@strata/domain';

const DAY_MS = 86_400_000;

/** Returns when a key expires whose user has chosen no time. */
export const proposedExpiry = (now = Date.now()): string => new Date(now + PROPOSED_KEY_DAYS * DAY_MS).toISOString();

/** Returns a note about the expiry of a new key; null for a key that never expires. */
export function describeExpiry(expireAt: string | null): string | null {
  return expireAt === null ? null : `It expires at ${expireAt}. Replace it before with strata key create --overlap.`;
}
