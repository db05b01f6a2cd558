import type { OrganizationId, Uuid } from '@strata/domain';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import {
  type ColumnValue,
  columnsOf,
  type TableColumns,
  VERSIONED_TABLES,
  type VersionedTable,
} from './versioned-table.ts';

/** Converts `parent_id` to `parentId`: columns have snake case, properties of entities have camel case. */
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The columns of a row that the core writes; the database sets the others. */
export type VersionedEntity<Table extends VersionedTable> = { organizationId: OrganizationId; id: Uuid } & {
  [Name in keyof TableColumns<Table> as CamelCase<Name> & string]: ColumnValue<TableColumns<Table>[Name]>;
};

/** Builds the entity of a table from its description. */
export function versionedEntity<Table extends VersionedTable>(table: Table): EntitySchema<VersionedEntity<Table>> {
  const columns: Record<string, EntitySchemaColumnOptions> = {
    organizationId: { type: 'uuid', name: 'organization_id', primary: true },
    id: { type: 'uuid', primary: true },
  };
  for (const [name, { type, isNullable, isFixed }] of Object.entries(columnsOf(table))) {
    columns[camelCase(name)] = { type, name, nullable: isNullable, update: !isFixed };
  }
  return new EntitySchema({ name: table, columns: columns as never });
}

/** The entities of all versioned tables. TypeORM finds each by its name. */
export const VERSIONED_ENTITIES = VERSIONED_TABLES.map((table) => versionedEntity(table));

export type WrittenColumns<Table extends VersionedTable, Input> = {
  [Name in keyof Input as Name extends keyof TableColumns<Table> ? CamelCase<Name> & string : never]: Exclude<
    Input[Name],
    undefined
  >;
};

/** Returns the members of an input that have the name of a column. Missing members stay missing. */
export function pickWrittenColumns<Table extends VersionedTable, Input extends object>(
  table: Table,
  input: Input,
): WrittenColumns<Table, Input> {
  const columns = columnsOf(table);
  const columnValues = Object.entries(input).filter(([name, value]) => name in columns && value !== undefined);
  return Object.fromEntries(columnValues.map(([name, value]) => [camelCase(name), value])) as WrittenColumns<
    Table,
    Input
  >;
}
