import { Injectable } from '@nestjs/common';
import type { InvitationListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type Role, type UserId } from '@strata/domain';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

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

const INVITATIONS = `(select invitation.*, invitation.email as name from invitation where invitation.organization_id = $1)`;

const COLUMNS = `object.id, object.organization_id, object.email, object.role, object.reveals_secrets, object.state, object.state_detail, object.inviter_id, object.inviter_name,
  object.membership_id, ${wireTimeSql('object.modified_at')} as modified_at`;

/**
 * Includes when the token expires. A token that was issued for another role is no longer valid, so its time is null.
 */
const WITH_EXPIRY = `${COLUMNS}, case when object.token_hmac is not null then ${wireTimeSql('object.token_expires_at')} end as token_expires_at`;

/** The additional fields that lists can be sorted by. */
const ORDERS = { email: 'object.email', role: 'object.role', state: 'object.state' };

@Injectable()
export class InvitationsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: InvitationListQuery): Promise<PageResult<InvitationRow>> {
    const filters: Filter[] = [];
    if (query.email !== undefined) filters.push({ sql: 'lower(object.email) = lower(?)', value: query.email });
    if (query.role !== undefined) filters.push({ sql: 'object.role = ?', value: query.role });
    if (query.state !== undefined) filters.push({ sql: 'object.state = ?', value: query.state });
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::uuid[])', value: query.id__in });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: INVITATIONS,
        columns: query.token_expiry ? WITH_EXPIRY : COLUMNS,
        filters,
        ...requestedPage(query, ORDERS),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: string,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<InvitationRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: INVITATIONS, columns: COLUMNS }, id, () =>
      Failure.notFound('Invitation'),
    );
  }
}
