import { Injectable } from '@nestjs/common';
import type { UserListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type Revision, type UserId } from '@strata/domain';
import { type Filter, type PageOf, SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { orderOf } from '../../platform/http/filters.ts';
import { window } from '../../platform/http/page.ts';
import { USER_COLUMNS, USERS, type UserRow } from './people.ts';

/** What lists can be ordered by besides. */
const ORDERS = { email: 'o.email', role: 'o.role', type: 'o.type' };

@Injectable()
export class UsersReader {
  constructor(private readonly committed: SnapshotReader) {}

  page(organizationId: OrganizationId, query: UserListQuery): Promise<PageOf<UserRow>> {
    const filters: Filter[] = [];
    if (query.type !== undefined) filters.push({ sql: 'o.type = ?', value: query.type });
    if (query.id__in !== undefined) filters.push({ sql: 'o.id = any(?::text[])', value: query.id__in });
    return this.committed.page(
      { organizationId, at: 'now' },
      { from: USERS, columns: USER_COLUMNS, filters, order: orderOf(query.ordering, ORDERS), page: window(query) },
    );
  }

  async one(
    organizationId: OrganizationId,
    id: UserId,
    reader: SnapshotReader = this.committed,
  ): Promise<{ revision: Revision; row: UserRow }> {
    const { revision, rows } = await reader.page<UserRow>(
      { organizationId, at: 'now' },
      {
        from: USERS,
        columns: USER_COLUMNS,
        filters: [{ sql: 'o.id = ?', value: id }],
        order: 'o.id',
        page: { limit: 1, offset: 0 },
      },
    );
    const [row] = rows;
    if (!row) throw Failure.notFound('User');
    return { revision, row };
  }
}
