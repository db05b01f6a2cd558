import type {
  Ability,
  ApiKeyScope,
  OrganizationId,
  PathScope,
  Permissions,
  Revision,
  UserId,
  Uuid,
} from '@strata/domain';
import type { IdempotencyKey } from './ledger/idempotency-keys.ts';

/** The parts of a credential that decide how long it is valid. */
export interface VerifiedCredential {
  /** The prefix of an API key, or of the key that a session was started with; null for other tokens. */
  readonly keyPrefix: string | null;
  /** The scopes of that key; null if it has all, and for other credentials. */
  readonly keyScopes: readonly ApiKeyScope[] | null;
  /** The id of a session; null for a key, and for a token without a session. */
  readonly sessionId: Uuid | null;
  /** The trust rule by which a workload signed in; null for other credentials. */
  readonly trustRuleId: Uuid | null;
  /** Whether it satisfies an organization that requires single sign-on: keys of programs do, passwords do not. */
  readonly satisfiesSso: boolean;
  /** Whether it belongs to a workload, which never has more rights than a CONTRIB. */
  readonly isWorkload: boolean;
  /** The token version of the user when the token was checked; null for a key. */
  readonly tokenVersion: number | null;
  /** Milliseconds since 1970; infinite for a key that does not expire. */
  readonly expiresAt: number;
}

/**
 * The credential, ability and scope that authorized a request, so that a write can check all of them again after it has
 * waited.
 */
export interface AuthorizationBasis {
  readonly credential: VerifiedCredential;
  /** The ability that the route requires; null if any valid credential is sufficient. */
  readonly ability: Ability | null;
  /** The project or environment of the path. */
  readonly scope: PathScope | null;
}

/**
 * The account that sent a request, its organization and permissions, and the interface it uses. Authentication creates it, and it never
 * changes. A write that has waited gets a new one with the permissions that hold then (`Writer`).
 */
export interface Caller extends Permissions {
  readonly id: UserId;
  readonly name: string;
  readonly type: 'interactive' | 'service';
  readonly organizationId: OrganizationId;
  readonly membershipId: string;
  readonly requestId: string;
  readonly surface: string;
  /** The permissions take account of all writes up to this revision. */
  readonly revision: Revision;
  /** Null for callers without a credential of the organization: the service itself, and a person who accepts an invitation. */
  readonly authorization: AuthorizationBasis | null;
  /** The idempotency key of the one write that the request makes. */
  readonly idempotencyKey: IdempotencyKey | null;
}
