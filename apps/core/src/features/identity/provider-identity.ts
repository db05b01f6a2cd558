import { textProblem } from '@strata/domain';
import type { IdentityProvider, ProvidedOrganization } from '@strata/issuers';
import type { JWTPayload } from 'jose';

/** The user of an id token that was verified. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The address, if the provider has verified it. */
  readonly email: string | null;
  readonly name: string;
  /** The names of the user's groups at the provider. */
  readonly groups: readonly string[];
}

const SUBJECT_MAX = 256;
const EMAIL_MAX = 254;
const NAME_MAX = 256;
/** A token with more groups does not fit into a header, and providers replace the list by a link. */
const GROUPS_MAX = 1_000;

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= max && textProblem(value) === null;

const GOOGLE = 'https://accounts.google.com';

/** Entra ID returns 1 in `xms_edov`. */
const VERIFIED: readonly unknown[] = [true, 1, '1'];

/** Returns null for a subject that cannot be stored. The text "true" does not verify an address. */
export function providerIdentity(
  { issuer, groups_claim: groupsClaim, email_verified_claim: verifiedClaim }: IdentityProvider,
  claims: JWTPayload,
): ProviderIdentity | null {
  const { sub, email, name, [verifiedClaim]: emailVerified, [groupsClaim]: groups } = claims;
  if (!isText(sub, SUBJECT_MAX)) return null;
  const isVerified = VERIFIED.includes(emailVerified) && isText(email, EMAIL_MAX) && /^[^@]+@[^@]+$/.test(email);
  const address = isVerified && isAuthoritative(issuer, email, claims) ? email : null;
  return {
    issuer,
    subject: sub,
    email: address,
    name: isText(name, NAME_MAX) && name.trim() !== '' ? name.trim() : (address ?? sub),
    groups: Array.isArray(groups) ? groups.filter((group) => isText(group, NAME_MAX)).slice(0, GROUPS_MAX) : [],
  };
}

/**
 * Google also verifies addresses of other companies for private accounts, which stay verified when the address is given
 * to another person. Only for accounts of a Workspace, the claim `hd` names its domain.
 */
function isAuthoritative(issuer: string, email: string, { hd }: JWTPayload): boolean {
  return issuer !== GOOGLE || hd === email.split('@').at(-1)?.toLowerCase();
}

/** Returns the organization that the domain of a verified address belongs to. */
export function findOrganization(
  { organizations }: IdentityProvider,
  { email }: ProviderIdentity,
): ProvidedOrganization | null {
  const domain = email?.split('@').at(-1)?.toLowerCase();
  return organizations.find(({ domains }) => domain !== undefined && domains.includes(domain)) ?? null;
}

/** Returns the groups of Strata that the user is in by the claim. Groups of the provider without a mapping have no effect. */
export function readClaimedGroups(
  { groups }: ProvidedOrganization,
  { groups: claimedGroups }: ProviderIdentity,
): readonly string[] {
  const groupNames = Object.entries(groups).flatMap(([providerGroup, name]) =>
    claimedGroups.includes(providerGroup) ? [name] : [],
  );
  return [...new Set(groupNames)];
}
