import { Injectable } from '@nestjs/common';
import type { InvitationListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type Role, type UserId } from '@strata/domain';
import { buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';

export interface InvitationRow {
  readonly id: string;
  readonly organization_id: OrganizationId;
  readonly email: string;
  readonly role: Role;
  readonly reveals_secrets: boolean;
  readonly state: 'pending' | 'sent' | 'accepted' | 'bounced';
  readonly state_detail: string;
  readonly inviter_id: UserId;
  readonly inviter_name: string;
  readonly membership_id: string | null;
  readonly modified_at: string;
  /** Only present on request. */
  readonly token_expires_at?: string | null;
}

const INVITATIONS = `(select i.*, i.email as name from invitation i where i.organization_id = $1)`;

const COLUMNS = `o.id, o.organization_id, o.email, o.role, o.reveals_secrets, o.state, o.state_detail, o.inviter_id, o.inviter_name,
  o.membership_id, ${wireTime('o.modified_at')} as modified_at`;

/**
 * Includes when the token expires. A token that was issued for another role is no longer valid, so its time is null.
 */
const WITH_EXPIRY = `${COLUMNS}, case when o.token_hmac is not null then ${wireTime('o.token_expires_at')} end as token_expires_at`;

/** The additional fields that lists can be sorted by. */
const ORDERS = { email: 'o.email', role: 'o.role', state: 'o.state' };

@Injectable()
export class InvitationsReader {
  constructor(private readonly committed: SnapshotReader) {}

  page(organizationId: OrganizationId, query: InvitationListQuery): Promise<PageResult<InvitationRow>> {
    const filters: Filter[] = [];
    if (query.email !== undefined) filters.push({ sql: 'lower(o.email) = lower(?)', value: query.email });
    if (query.role !== undefined) filters.push({ sql: 'o.role = ?', value: query.role });
    if (query.state !== undefined) filters.push({ sql: 'o.state = ?', value: query.state });
    if (query.id__in !== undefined) filters.push({ sql: 'o.id = any(?::uuid[])', value: query.id__in });
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: INVITATIONS,
        columns: query.token_expiry ? WITH_EXPIRY : COLUMNS,
        filters,
        order: buildOrder(query.ordering, ORDERS),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: string,
    reader: SnapshotReader = this.committed,
  ): Promise<RowResult<InvitationRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: INVITATIONS, columns: COLUMNS }, id, () =>
      Failure.notFound('Invitation'),
    );
  }
}
