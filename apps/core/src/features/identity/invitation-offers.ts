import { Injectable } from '@nestjs/common';
import type { InvitationOffer, InvitationOfferRequest } from '@strata/contract';
import { Failure, type Role } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';

interface OfferRow {
  readonly organization_name: string;
  readonly inviter_name: string;
  readonly email: string;
  readonly role: Role;
  readonly is_accepted: boolean;
  readonly is_fresh: boolean;
  readonly has_account: boolean;
  readonly expires_at: string | null;
  readonly token_hmac: Buffer | null;
}

const OFFER = `
select organization.name as organization_name, invitation.inviter_name, invitation.email, invitation.role, invitation.token_hmac,
       invitation.state = 'accepted' as is_accepted,
       coalesce(invitation.token_expires_at > clock_timestamp(), false) as is_fresh,
       ${wireTimeSql('invitation.token_expires_at')} as expires_at,
       exists (select from person where person.type = 'interactive' and lower(person.email) = lower(invitation.email)) as has_account
  from invitation join organization on organization.id = invitation.organization_id
 where invitation.id = $1 and organization.deleted_at is null`;

/** Returns the contents of an invitation to the holder of its token, who needs no account. */
@Injectable()
export class InvitationOffers {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  /**
   * Throws the same error for a wrong token and for an unknown invitation. If the token is right but the invitation is
   * no longer open, the error contains the reason.
   */
  async read(id: string, { token }: InvitationOfferRequest): Promise<InvitationOffer> {
    const [row] = await this.snapshotReader.query<OfferRow>(OFFER, [id]);
    if (!row || !this.serviceKeys.isInvitationToken(row.token_hmac, token)) throw Failure.notFound('Invitation');
    const { organization_name, inviter_name, email, role, has_account, expires_at } = row;
    const state = row.is_accepted ? 'accepted' : row.is_fresh ? 'open' : 'expired';
    return { state, organization_name, inviter_name, email, role, has_account, expires_at };
  }
}
