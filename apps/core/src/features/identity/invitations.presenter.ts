import type { Invitation, InvitationCreated } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import type { InvitationRow } from './invitations.reader.ts';
import type { InvitationWithToken } from './invitations.service.ts';

export function presentInvitationWithToken({ row, token }: InvitationWithToken, links: Links): InvitationCreated {
  return { ...presentInvitation(row, links), token };
}

export function presentInvitation(
  row: InvitationRow,
  links: Links,
  { versions = false }: { readonly versions?: boolean } = {},
): Invitation {
  return {
    url: links.invitation(row.id),
    id: row.id,
    email: row.email,
    role: row.role,
    reveals_secrets: row.reveals_secrets,
    inviter: links.user(row.inviter_id),
    inviter_name: row.inviter_name,
    state: row.state,
    state_detail: row.state_detail,
    membership: row.membership_id === null ? null : links.membership(row.membership_id),
    organization: links.organization(row.organization_id),
    ...(row.token_expires_at !== undefined && { token_expires_at: row.token_expires_at }),
    ...(versions && { modified_at: row.modified_at }),
  };
}
