import { Injectable } from '@nestjs/common';
import type { EnvironmentListQuery } from '@strata/contract';
import type { EnvironmentId, Role } from '@strata/domain';
import { escapeLike, nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  type RowSource,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  selectedColumns,
  type VersionedRow,
} from '../../platform/postgres/versioned-table.ts';
import { type ScopeRequester, scopeRowsWithAccess } from '../access/scope-rows-with-access.ts';

/** A row of an environment, as JSON with timestamps in wire format. */
export interface EnvironmentRow extends VersionedRow<'environment'> {
  readonly children: readonly EnvironmentId[];
  readonly access_controlled: boolean;
  /** The role that the caller was granted on it. */
  readonly role: Role | null;
}

const columns = (at: PointInTime) => `
  ${selectedColumns('environment')},
  (select coalesce(json_agg(environment.id order by environment.name collate human, environment.name), '[]')
     from ${rowsAt('environment', at)} environment where environment.parent_id = object.id) as children,
  object.access_controlled, object.role`;

const source = (at: PointInTime, caller: ScopeRequester): RowSource => ({
  ...scopeRowsWithAccess('environment', at, caller),
  columns: columns(at),
});

@Injectable()
export class EnvironmentsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(caller: ScopeRequester, query: EnvironmentListQuery, at: PointInTime): Promise<PageResult<EnvironmentRow>> {
    return this.snapshotReader.page(
      { organizationId: caller.organizationId, at },
      {
        ...source(at, caller),
        filters: [...nameFilters(query), ...parentFilters(query, at)],
        ...requestedPage(query, BY_DESCRIPTION),
      },
    );
  }

  /** Returns an environment. Throws 404 if it does not exist or belongs to another organization. */
  readOne(
    caller: ScopeRequester,
    id: EnvironmentId,
    at: PointInTime,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<EnvironmentRow>> {
    return reader.retrieve({ organizationId: caller.organizationId, at }, source(at, caller), id, () =>
      notFoundAtError('Environment', at),
    );
  }
}

function parentFilters(query: EnvironmentListQuery, at: PointInTime): Filter[] {
  const parent = `exists (select from ${rowsAt('environment', at)} parent where parent.id = object.parent_id and parent.name`;
  return [
    ...(query.parent__name === undefined ? [] : [{ sql: `${parent} = ?)`, value: query.parent__name }]),
    ...(query.parent__name__icontains === undefined
      ? []
      : [{ sql: `${parent} ilike ?)`, value: `%${escapeLike(query.parent__name__icontains)}%` }]),
  ];
}
