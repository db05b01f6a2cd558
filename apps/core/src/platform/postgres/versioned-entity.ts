import type { OrganizationId, Uuid } from '@strata/domain';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import {
  type ColumnValue,
  columnsOf,
  type TableColumns,
  VERSIONED_TABLES,
  type VersionedTable,
} from './versioned-table.ts';

/** `parent_id` → `parentId`: columns are named as PostgreSQL does it, properties of entities as TypeScript does it. */
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What is written of a row; the database stamps the rest. */
export type VersionedEntity<Table extends VersionedTable> = { organizationId: OrganizationId; id: Uuid } & {
  [Name in keyof TableColumns<Table> as CamelCase<Name> & string]: ColumnValue<TableColumns<Table>[Name]>;
};

/** The entity of a table, as its description says. */
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

/** The entities of all versioned tables; TypeORM knows each by its name. */
export const VERSIONED_ENTITIES = VERSIONED_TABLES.map((table) => versionedEntity(table));

/** What an input says of the columns that are named as its members. */
export type WrittenColumns<Table extends VersionedTable, Input> = {
  [Name in keyof Input as Name extends keyof TableColumns<Table> ? CamelCase<Name> & string : never]: Exclude<
    Input[Name],
    undefined
  >;
};

/** Takes over what an input says of the columns that are named as its members; what it leaves out is left out. */
export function writtenColumns<Table extends VersionedTable, Input extends object>(
  table: Table,
  input: Input,
): WrittenColumns<Table, Input> {
  const columns = columnsOf(table);
  const said = Object.entries(input).filter(([name, value]) => name in columns && value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [camelCase(name), value])) as WrittenColumns<Table, Input>;
}
