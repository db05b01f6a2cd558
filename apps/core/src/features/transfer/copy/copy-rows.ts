import type { OrganizationId, Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { columnsOf, type TableColumns, type VersionedTable } from '../../../platform/postgres/versioned-table.ts';

type ColumnLists<Table extends VersionedTable> = {
  readonly [Name in keyof TableColumns<Table>]?: readonly unknown[];
};

/** The rows to copy, and the columns whose values differ from the source. All lists have the same length and order. */
export interface RowCopies<Table extends VersionedTable> {
  readonly sources: readonly Uuid[];
  readonly ids: readonly Uuid[];
  /** Columns with a new value for each copy. */
  readonly set: ColumnLists<Table>;
  /** Columns with a new value for some copies. Null keeps the value of the source. */
  readonly replaced?: ColumnLists<Table>;
}

/**
 * Copies rows with one statement, however many there are. All columns that are not mentioned are copied unchanged, so
 * that copies stay complete when a table gets a new column.
 */
export async function copyRows<Table extends VersionedTable>(
  em: EntityManager,
  organizationId: OrganizationId,
  table: Table,
  { sources, ids, set, replaced = {} }: RowCopies<Table>,
): Promise<void> {
  const columns = columnsOf(table);
  const lists = Object.entries({ ...set, ...replaced } as Readonly<Record<string, readonly unknown[]>>);
  const copiedName = (name: string) =>
    name in set ? `copy.${name}` : name in replaced ? `coalesce(copy.${name}, source.${name})` : `source.${name}`;
  const arrays = lists.map(([name], index) => `$${index + 4}::${columns[name]?.type}[]`);
  const names = Object.keys(columns);
  await em.query(
    `insert into ${table} (${['organization_id', 'id', ...names].join(', ')})
     select ${['$1, copy.id', ...names.map(copiedName)].join(', ')}
       from unnest(${['$2::uuid[], $3::uuid[]', ...arrays].join(', ')}) as copy(${['source, id', ...lists.map(([name]) => name)].join(', ')})
       join ${table} source on source.organization_id = $1 and source.id = copy.source`,
    [organizationId, sources, ids, ...lists.map(([, values]) => values)],
  );
}
