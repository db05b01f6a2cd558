import { Injectable } from '@nestjs/common';
import type { OrganizationListQuery } from '@strata/contract';
import { Failure, isUuid, type OrganizationId, type Role } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';

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

const MINE = `(select g.*, m.person_id, m.role from organization g join membership m on m.organization_id = g.id)`;
const COLUMNS = `o.id, o.name, o.project_name_pattern, o.read_protection_minutes, o.viewers_reveal_secrets,
  o.maintenance, o.notification_config, o.role, ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

/** Reads the organizations that the caller belongs to. Other organizations return 404. */
@Injectable()
export class OrganizationsReader {
  constructor(private readonly committed: SnapshotReader) {}

  page({ id, organizationId }: Caller, query: OrganizationListQuery): Promise<PageResult<OrganizationRow>> {
    const filters: Filter[] = [{ sql: 'o.person_id = ?', value: id }];
    if (query.name !== undefined) filters.push({ sql: 'o.name = ?', value: query.name });
    if (query.id__in !== undefined) {
      filters.push({ sql: 'o.id = any(?::uuid[])', value: query.id__in.filter((requested) => isUuid(requested)) });
    }
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: MINE,
        columns: COLUMNS,
        filters,
        order: buildOrder(query.ordering),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
  }

  readOne(
    caller: Caller,
    id: OrganizationId,
    reader: SnapshotReader = this.committed,
  ): Promise<RowResult<OrganizationRow>> {
    return reader.retrieve(
      { organizationId: caller.organizationId, at: 'now' },
      { from: MINE, columns: COLUMNS, filters: [{ sql: 'o.person_id = ?', value: caller.id }] },
      id,
      () => Failure.notFound('Organization'),
    );
  }
}
