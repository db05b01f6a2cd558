import { Injectable } from '@nestjs/common';
import type { MembershipListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type Role, type UserId } from '@strata/domain';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { onlyProjectIds } from './only-projects.ts';
import { userIdOfLink } from './people.ts';

export interface MembershipRow {
  readonly id: string;
  readonly person_id: UserId;
  readonly person_name: string;
  readonly type: 'interactive' | 'service';
  readonly role: Role;
  readonly reveals_secrets: boolean;
  /** The projects that a service account is limited to; null for no limit. Deleted projects are left out. */
  readonly only_project_ids: readonly string[] | null;
  readonly created_at: string;
  readonly modified_at: string;
}

const MEMBERSHIPS = `(select membership.*, person.type, coalesce(person.name, person.email, person.id) as name
  from membership join person on person.id = membership.person_id where membership.organization_id = $1)`;

const COLUMNS = `object.id, object.person_id, object.name as person_name, object.type, object.role, object.reveals_secrets,
  ${onlyProjectIds('object')} as only_project_ids,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

@Injectable()
export class MembershipsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: MembershipListQuery): Promise<PageResult<MembershipRow>> {
    const filters: Filter[] = [];
    if (query.role !== undefined) filters.push({ sql: 'object.role = ?', value: query.role });
    if (query.user !== undefined) filters.push({ sql: 'object.person_id = ?', value: userIdOfLink(query.user) });
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::uuid[])', value: query.id__in });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: MEMBERSHIPS,
        columns: COLUMNS,
        filters,
        ...requestedPage(query, { role: 'object.role' }),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: string,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<MembershipRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: MEMBERSHIPS, columns: COLUMNS }, id, () =>
      Failure.notFound('Membership'),
    );
  }
}
