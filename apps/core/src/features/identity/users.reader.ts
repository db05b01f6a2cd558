import { Injectable } from '@nestjs/common';
import type { UserListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { NAME_OF_PERSON_ORDER } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { USER_COLUMNS, USERS, type UserRow } from './people.ts';

/** The additional fields that lists can be sorted by. */
const ORDERS = { email: 'object.email', role: 'object.role', type: 'object.type' };

@Injectable()
export class UsersReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: UserListQuery): Promise<PageResult<UserRow>> {
    const filters: Filter[] = [];
    if (query.type !== undefined) filters.push({ sql: 'object.type = ?', value: query.type });
    if (query.id__in !== undefined) filters.push({ sql: 'object.id = any(?::text[])', value: query.id__in });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: USERS,
        columns: USER_COLUMNS,
        filters,
        ...requestedPage(query, ORDERS, NAME_OF_PERSON_ORDER),
      },
    );
  }

  readOne(
    organizationId: OrganizationId,
    id: UserId,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<UserRow>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: USERS, columns: USER_COLUMNS }, id, () =>
      Failure.notFound('User'),
    );
  }
}
