import type { Ability, OrganizationId, PathScope, Permissions, Revision, UserId } from '@strata/domain';
import type { ForbiddenValues } from './ledger/forbidden-values.ts';
import type { IdempotencyKey } from './ledger/idempotency-keys.ts';
import type { PlanRecorder } from './ledger/plan-recorder.ts';

/** What was shown by somebody to be who they are, as far as it can come to an end. */
export interface VerifiedCredential {
  /** Of an API key; null for a token. */
  readonly keyPrefix: string | null;
  /** Of the person of a token, as it was when the token was looked at; null for a key. */
  readonly tokenVersion: number | null;
  /** Milliseconds since 1970; infinite for a key that does not expire. */
  readonly expiresAt: number;
}

/** By what a request was let in, so that all of it can be asked again once the request has waited. */
export interface AuthorizationBasis {
  readonly credential: VerifiedCredential;
  /** What the route requires; null where it takes nothing but a good credential. */
  readonly ability: Ability | null;
  /** What the path lies in. */
  readonly scope: PathScope | null;
}

/**
 * Who acts, for whom, with what permissions, and through which surface. Made by authentication, passed down as one argument.
 * `role` and `scopes` are renewed when a write has waited (`auth/admission.ts`), and nowhere else: so whatever a command
 * asks of its caller is as true as what it reads.
 */
export interface Caller extends Permissions {
  readonly id: UserId;
  readonly name: string;
  readonly type: 'interactive' | 'service';
  readonly organizationId: OrganizationId;
  readonly membershipId: string;
  readonly requestId: string;
  readonly surface: string;
  /** What was written in the organization until then, the permissions take account of. */
  readonly revision: Revision;
  /** Null for who shows no credential here: the service itself, and somebody who joins the organization. */
  readonly authorization: AuthorizationBasis | null;
  /** Of the one write that this request asks for. */
  readonly idempotencyKey: IdempotencyKey | null;
  /** Of a write of which a plan is made: what it notes. */
  readonly planned?: PlanRecorder;
  /** Of a changeset: what it ignores because the caller may not read it. */
  readonly forbiddenValues?: ForbiddenValues;
}
