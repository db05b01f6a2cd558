import { Injectable } from '@nestjs/common';
import type { TagListQuery } from '@strata/contract';
import { type EnvironmentId, Failure, type OrganizationId, type Uuid } from '@strata/domain';
import { nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION, buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import {
  type Filter,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { type SyncRow, selectPushes } from '../syncs/sync-row.ts';

/** A row of a tag, as JSON with timestamps in wire format. */
export interface TagRow {
  readonly id: Uuid;
  readonly environment_id: EnvironmentId;
  readonly name: string;
  readonly description: string;
  readonly timestamp: string;
  readonly immutable: boolean;
  readonly modified_at: string;
  readonly last_read: string | null;
  readonly last_read_by: string;
  readonly total_reads: number;
  readonly pushes: readonly SyncRow[];
}

export interface TagKey {
  readonly organizationId: OrganizationId;
  readonly environmentId: EnvironmentId;
  readonly id: Uuid;
}

const TAGS = '(select * from tag where organization_id = $1)';
const COLUMNS = `object.id, object.environment_id, object.name, object.description, ${wireTimeSql('object."timestamp"')} as "timestamp",
  object.immutable, ${wireTimeSql('object.modified_at')} as modified_at, ${wireTimeSql('object.last_read')} as last_read, object.last_read_by, object.total_reads,
  ${selectPushes('tag', 'object.id')} as pushes`;

@Injectable()
export class TagsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async page(
    organizationId: OrganizationId,
    environmentId: EnvironmentId,
    query: TagListQuery,
  ): Promise<PageResult<TagRow>> {
    const result = await this.snapshotReader.page<TagRow>(
      { organizationId, at: 'now' },
      {
        from: TAGS,
        columns: COLUMNS,
        filters: [ofEnvironment(environmentId), ...nameFilters(query), ...timeFilters(query)],
        order: buildOrder(query.ordering, {
          ...BY_DESCRIPTION,
          timestamp: 'object."timestamp"',
          immutable: 'object.immutable',
        }),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
    if (result.count === 0) await this.assertEnvironment(organizationId, environmentId);
    return result;
  }

  /**
   * Returns a tag. Throws 404 if it does not exist in the environment, or if the environment belongs to another
   * organization.
   */
  readOne(
    { organizationId, environmentId, id }: TagKey,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<TagRow>> {
    const source = { from: TAGS, columns: COLUMNS, filters: [ofEnvironment(environmentId)] };
    return reader.retrieve({ organizationId, at: 'now' }, source, id, async () => {
      await this.assertEnvironment(organizationId, environmentId, reader);
      return Failure.notFound('Tag');
    });
  }

  /** Returns the pushes that use a tag, with their current state. */
  async pushes({ organizationId, id }: Pick<TagKey, 'organizationId' | 'id'>): Promise<readonly SyncRow[]> {
    const [row] = await this.snapshotReader.query<Pick<TagRow, 'pushes'>>(
      `select ${selectPushes('tag', '$2')} as pushes`,
      [organizationId, id],
    );
    return row?.pushes ?? [];
  }

  private async assertEnvironment(
    organizationId: OrganizationId,
    id: EnvironmentId,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<void> {
    const result = await reader.query('select 1 from environment where organization_id = $1 and id = $2', [
      organizationId,
      id,
    ]);
    if (result.length === 0) throw Failure.notFound('Environment');
  }
}

const ofEnvironment = (id: EnvironmentId): Filter => ({ sql: 'object.environment_id = ?::uuid', value: id });

function timeFilters(query: TagListQuery): Filter[] {
  const filters: readonly (readonly [string, string | undefined])[] = [
    ['=', query.timestamp],
    ['>=', query.timestamp__gte],
    ['<=', query.timestamp__lte],
  ];
  return filters.flatMap(([sign, value]) =>
    value === undefined ? [] : [{ sql: `object."timestamp" ${sign} ?::timestamptz`, value }],
  );
}
