import type { OrganizationId, Role, UserId } from '@strata/domain';

/** Who acts, for whom, and through which door. Made by authentication, passed down as one argument. */
export interface Caller {
  readonly id: UserId;
  readonly name: string;
  readonly type: 'interactive' | 'service';
  readonly organizationId: OrganizationId;
  readonly membershipId: string;
  readonly role: Role;
  readonly requestId: string;
  readonly surface: string;
}
