import { Injectable } from '@nestjs/common';
import type { ParameterTypeListQuery } from '@strata/contract';
import { Failure, type OrganizationId, type Uuid } from '@strata/domain';
import { type Filter, type PageOf, SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { rowsAt, wireTime } from '../../platform/database/versioned-table.ts';
import { nameFilters, orderOf } from '../../platform/http/filters.ts';
import { window } from '../../platform/http/page.ts';

export interface TypeRow {
  readonly id: Uuid;
  readonly ledger_id: string;
  readonly name: string;
  readonly description: string;
  readonly parent_id: Uuid | null;
  readonly parent_name: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

const COLUMNS = `
  o.id, o.ledger_id, o.name, o.description, o.parent_id,
  (select p.name from ${rowsAt('parameter_type', 'now')} p where p.id = o.parent_id) as parent_name,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

@Injectable()
export class TypesReader {
  constructor(private readonly reader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: ParameterTypeListQuery): Promise<PageOf<TypeRow>> {
    return this.read(organizationId, nameFilters(query), query, orderOf(query.ordering), query.name__icontains);
  }

  async one(organizationId: OrganizationId, id: Uuid): Promise<{ revision: number; row: TypeRow }> {
    const filters = [{ sql: 'o.id = ?::uuid', value: id }];
    const { rows, revision } = await this.read(organizationId, filters, { page: 1, page_size: 1 }, 'o.id');
    const [row] = rows;
    if (!row) throw Failure.notFound('ParameterType');
    return { revision, row };
  }

  /** A client looks a type up by part of its name and takes the first: the exact name comes first (behaviour.md §1.8). */
  private read(
    organizationId: OrganizationId,
    filters: readonly Filter[],
    page: { readonly page: number; readonly page_size: number },
    order: string,
    exactFirst?: string,
  ): Promise<PageOf<TypeRow>> {
    const ranked = exactFirst === undefined ? [] : [{ sql: `lower(?) is not null`, value: exactFirst }];
    const rank = exactFirst === undefined ? '' : `lower(o.name) = lower($${RANK_PARAMETER}) desc, `;
    return this.reader.page(
      { organizationId, at: 'now' },
      {
        from: rowsAt('parameter_type', 'now'),
        columns: COLUMNS,
        filters: [...ranked, ...filters],
        order: `${rank}${order}`,
        page: window(page),
      },
    );
  }
}

/** The first filter's value: organization, revision, limit and offset come before it. */
const RANK_PARAMETER = 5;
