import { Injectable } from '@nestjs/common';
import type { InvitationOffer, InvitationOfferRequest } from '@strata/contract';
import { Failure, type Role } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
import { RootKey } from '../../platform/vault/root-key.ts';

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
select o.name as organization_name, i.inviter_name, i.email, i.role, i.token_hmac,
       i.state = 'accepted' as is_accepted,
       coalesce(i.token_expires_at > clock_timestamp(), false) as is_fresh,
       ${wireTime('i.token_expires_at')} as expires_at,
       exists (select from person p where p.type = 'interactive' and lower(p.email) = lower(i.email)) as has_account
  from invitation i join organization o on o.id = i.organization_id
 where i.id = $1 and o.deleted_at is null`;

/** Returns the contents of an invitation to the holder of its token, who needs no account. */
@Injectable()
export class InvitationOffers {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly rootKey: RootKey,
  ) {}

  /**
   * Throws the same error for a wrong token and for an unknown invitation. If the token is right but the invitation is
   * no longer open, the error contains the reason.
   */
  async read(id: string, { token }: InvitationOfferRequest): Promise<InvitationOffer> {
    const [row] = await this.committed.query<OfferRow>(OFFER, [id]);
    if (!row || !this.rootKey.isInvitationToken(row.token_hmac, token)) throw Failure.notFound('Invitation');
    const { organization_name, inviter_name, email, role, has_account, expires_at } = row;
    const state = row.is_accepted ? 'accepted' : row.is_fresh ? 'open' : 'expired';
    return { state, organization_name, inviter_name, email, role, has_account, expires_at };
  }
}
