import type { OrganizationId, UserId } from '@strata/domain';
import type { Vault } from '../../platform/vault/vault.ts';

/** The part of a configuration that an instance follows. */
export interface FollowedSelection {
  /** In alphabetical order, without duplicates; null for all names. */
  readonly names: readonly string[] | null;
  /** Whether the instance receives secrets in clear. */
  readonly reveal: boolean;
}

/** Returns a selection in the form in which equal selections are equal. */
export function followedSelection(names: readonly string[] | null, reveal: boolean): FollowedSelection {
  return { names: names && [...new Set(names)].toSorted(), reveal };
}

interface DigestOwner extends FollowedSelection {
  readonly organizationId: OrganizationId;
  readonly personId: UserId;
}

/**
 * Returns the keyed hash of a digest, which is stored and shown instead of the digest. With the digest itself, a reader
 * could test guesses of secrets offline. The hash includes the account and the selection: an account that sees less
 * could otherwise report a digest that it guessed, and compare its hash with those of others.
 */
export function instanceDigest(
  vault: Vault,
  { organizationId, personId, names, reveal }: DigestOwner,
  digest: string,
): Promise<string> {
  return vault.mac(organizationId, 'instance', JSON.stringify([personId, names, reveal, digest]));
}
