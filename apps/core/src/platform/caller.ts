import type { OrganizationId, Permissions, UserId } from '@strata/domain';
import type { IdempotencyKey } from './ledger/idempotency-keys.ts';

/** Who acts, for whom, with what permissions, and through which surface. Made by authentication, passed down as one argument. */
export interface Caller extends Permissions {
  readonly id: UserId;
  readonly name: string;
  readonly type: 'interactive' | 'service';
  readonly organizationId: OrganizationId;
  readonly membershipId: string;
  readonly requestId: string;
  readonly surface: string;
  /** Of the one write that this request asks for. */
  readonly idempotencyKey: IdempotencyKey | null;
}
