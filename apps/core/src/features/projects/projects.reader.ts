import { Injectable } from '@nestjs/common';
import type { ProjectListQuery } from '@strata/contract';
import type { ProjectId, Role } from '@strata/domain';
import { nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import {
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
import { type SyncRow, selectPushes } from '../syncs/sync-row.ts';

/** A row of a project, as JSON with timestamps in wire format. */
export interface ProjectRow extends VersionedRow<'project'> {
  readonly dependents: readonly ProjectId[];
  readonly access_controlled: boolean;
  /** The role that the caller was granted on the project. */
  readonly role: Role | null;
  readonly pushes: readonly SyncRow[];
}

const columns = (at: PointInTime) => `
  ${selectedColumns('project')},
  (select coalesce(json_agg(project.id order by project.name collate human, project.name), '[]')
     from ${rowsAt('project', at)} project where project.depends_on_id = object.id) as dependents,
  object.access_controlled, object.role,
  ${selectPushes('project', 'object.id')} as pushes`;

const source = (at: PointInTime, caller: ScopeRequester): RowSource => ({
  ...scopeRowsWithAccess('project', at, caller),
  columns: columns(at),
});

@Injectable()
export class ProjectsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(caller: ScopeRequester, query: ProjectListQuery, at: PointInTime): Promise<PageResult<ProjectRow>> {
    return this.snapshotReader.page(
      { organizationId: caller.organizationId, at },
      {
        ...source(at, caller),
        filters: nameFilters(query),
        ...requestedPage(query, BY_DESCRIPTION),
      },
    );
  }

  /** Returns a project. Throws 404 if it does not exist or belongs to another organization. */
  readOne(
    caller: ScopeRequester,
    id: ProjectId,
    at: PointInTime,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<RowResult<ProjectRow>> {
    return reader.retrieve({ organizationId: caller.organizationId, at }, source(at, caller), id, () =>
      notFoundAtError('Project', at),
    );
  }
}
