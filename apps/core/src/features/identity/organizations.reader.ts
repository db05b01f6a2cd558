import { Injectable } from '@nestjs/common';
import type { OrganizationListQuery } from '@strata/contract';
import { Failure, isUuid, type OrganizationId, type Role } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

export interface OrganizationRow {
  readonly id: OrganizationId;
  readonly name: string;
  readonly project_name_pattern: string;
  readonly read_protection_minutes: number | null;
  readonly viewers_reveal_secrets: boolean;
  readonly maintenance: boolean;
  readonly notification_config: Readonly<Record<string, unknown>>;
  /** The stored role of the caller. In the organization of the credential, the credential can limit it. */
  readonly role: Role;
  readonly created_at: string;
  readonly modified_at: string;
}

const MINE = `(select organization.*, membership.person_id, membership.role from organization join membership on membership.organization_id = organization.id)`;
const COLUMNS = `object.id, object.name, object.project_name_pattern, object.read_protection_minutes, object.viewers_reveal_secrets,
  object.maintenance, object.notification_config, object.role, ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

/** Reads the organizations that the caller belongs to. Other organizations return 404. */
@Injectable()
export class OrganizationsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page({ id, organizationId }: Caller, query: OrganizationListQuery): Promise<PageResult<OrganizationRow>> {
    const filters: Filter[] = [{ sql: 'object.person_id = ?', value: id }];
    if (query.name !== undefined) filters.push({ sql: 'object.name = ?', value: query.name });
    if (query.id__in !== undefined) {
      filters.push({
        sql: 'object.id = any(?::uuid[])',
        value: query.id__in.filter((requestedId) => isUuid(requestedId)),
      });
    }
    return acrossOrganizations(() =>
      this.snapshotReader.page(
        { organizationId, at: 'now' },
        { from: MINE, columns: COLUMNS, filters, ...requestedPage(query) },
      ),
    );
  }

  readOne(
    caller: Caller,
    id: OrganizationId,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<OrganizationRow>> {
    return acrossOrganizations(() =>
      reader.retrieve(
        { organizationId: caller.organizationId, at: 'now' },
        { from: MINE, columns: COLUMNS, filters: [{ sql: 'object.person_id = ?', value: caller.id }] },
        id,
        () => Failure.notFound('Organization'),
      ),
    );
  }
}
