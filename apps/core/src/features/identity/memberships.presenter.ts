import type { Membership } from '@strata/contract';
import type { Call } from '../../platform/http/request.ts';
import type { MembershipRow } from './memberships.reader.ts';

export function presentMembership(row: MembershipRow, { links, caller }: Call): Membership {
  return {
    url: links.membership(row.id),
    id: row.id,
    user: links.user(row.person_id),
    organization: links.organization(caller.organizationId),
    role: row.role,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
