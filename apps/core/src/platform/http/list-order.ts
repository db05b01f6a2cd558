import type { LIST_START, OrderBy } from '@strata/contract';
import {
  compareNames,
  Failure,
  isUuid,
  type ListKey,
  type ListPosition,
  parseInstant,
  textProblem,
} from '@strata/domain';
import type { Condition } from '../postgres/snapshot-reader.ts';

/** The value of `after`: the row to continue after, or the start of a list that is read by cursor. */
export type AfterCursor = ListPosition | typeof LIST_START | undefined;

/** One column of an order. Names are compared with the human collation. */
export interface SortColumn {
  readonly sql: string;
  readonly type: 'name' | 'text' | 'uuid' | 'instant';
  readonly descending?: boolean;
}

/** The default order of a list. Its last column is unique. A cursor has one part per column. */
export type ListOrder = readonly SortColumn[];

export const NAME_ORDER: ListOrder = [
  { sql: 'object.name', type: 'name' },
  { sql: 'object.id', type: 'uuid' },
];
/** Orders people by name, then by id. Ids are opaque. */
export const NAME_OF_PERSON_ORDER: ListOrder = [
  { sql: 'object.name', type: 'name' },
  { sql: 'object.id', type: 'text' },
];
export const NEWEST_FIRST_ORDER: ListOrder = [
  { sql: 'object.created_at', type: 'instant', descending: true },
  { sql: 'object.id', type: 'uuid' },
];

/** An order for lists whose rows have a description. */
export const BY_DESCRIPTION = { description: 'object.description collate human' };

/** The orders that every list accepts. Its rows must have these columns. */
const ORDERS: Readonly<Record<string, string>> = {
  name: 'object.name collate human',
  created_at: 'object.created_at',
  modified_at: 'object.modified_at',
};

/**
 * Returns the requested order, followed by the name in human order for equal rows. `furtherOrders` contains the further fields of
 * the noun. Unknown fields are ignored. The id makes every order total.
 */
export function buildOrder(
  ordering: readonly OrderBy[] | undefined,
  furtherOrders: Readonly<Record<string, string>> = {},
): string {
  const orders = { ...ORDERS, ...furtherOrders };
  const orderTerms = (ordering ?? []).flatMap(({ field, descending }) => {
    const column = Object.hasOwn(orders, field) ? orders[field as keyof typeof orders] : undefined;
    return column ? [`${column}${descending ? ' desc' : ''}`] : [];
  });
  return [...orderTerms, 'object.name collate human', 'object.name', 'object.id'].join(', ');
}

/** Returns the condition for the rows after a cursor; undefined without a cursor. */
export function conditionAfter(after: AfterCursor, order: ListOrder = NAME_ORDER): Condition | undefined {
  if (after === undefined) return undefined;
  if (after === 'start') return () => 'true';
  assertKeyFits(after.key, order);
  return (bind) => lexicographically(order, after.key.map(bind));
}

/** Builds (a > x) or (a = x and b > y) or …. A comparison of rows supports neither descending columns nor nulls. */
function lexicographically(order: ListOrder, bound: readonly string[]): string {
  const alternatives = order.map((column, index) => {
    const equalityConditions = order
      .slice(0, index)
      .map((before, index) => `${typed(before)} is not distinct from ${cast(before, bound[index])}`);
    return `(${[...equalityConditions, sortsAfter(column, cast(column, bound[index]))].join(' and ')})`;
  });
  return alternatives.join(' or ');
}

/** Follows PostgreSQL: null comes last in ascending order. Descending columns are never null. */
function sortsAfter(column: SortColumn, value: string): string {
  if (column.descending) return `${typed(column)} < ${value}`;
  return column.type === 'name'
    ? `(${typed(column)} > ${value} or (${column.sql} is null and ${value} is not null))`
    : `${typed(column)} > ${value}`;
}

const CASTS = { name: 'text', text: 'text', uuid: 'uuid', instant: 'timestamptz' } as const;

function cast({ type }: SortColumn, bound = 'null'): string {
  return `${bound}::${CASTS[type]}`;
}

/**
 * The collation is deterministic: PostgreSQL compares the bytes of names that the collation considers equal, as in the
 * order of the list.
 */
function typed({ sql, type }: SortColumn): string {
  return type === 'name' ? `${sql} collate human` : sql;
}

export function invalidCursorError(): Failure {
  return Failure.field('invalid_cursor', 'after', 'This is not a cursor of this list.');
}

/** A client can invent a cursor, so its parts may have any content. */
function assertKeyFits(key: ListKey, order: readonly Pick<SortColumn, 'type'>[]): void {
  const fitsType = (part: string | null, type: SortColumn['type'] | undefined) => {
    if (part === null) return type === 'name';
    if (type === 'uuid') return isUuid(part);
    return type === 'instant' ? parseInstant(part) === part : textProblem(part) === null;
  };
  if (key.length !== order.length || !key.every((part, index) => fitsType(part, order[index]?.type)))
    throw invalidCursorError();
}

/**
 * Returns the part of an in-memory list that a page shows. `keyOf` returns the sort key of a row: its name and its id.
 */
export function pageInMemory<Row>(
  rows: readonly Row[],
  { page, page_size: size, after }: { readonly page: number; readonly page_size: number; readonly after?: AfterCursor },
  keyOf: (row: Row) => readonly [name: string, id?: string],
): { readonly count: number; readonly following?: number; readonly rows: Row[] } {
  const offset = (page - 1) * size;
  if (after === undefined) return { count: rows.length, rows: rows.slice(offset, offset + size) };
  const followingRows = after === 'start' ? rows : rows.filter((row) => isAfter(keyOf(row), after.key));
  return { count: rows.length, following: followingRows.length, rows: followingRows.slice(0, size) };
}

function isAfter([name, id = '']: readonly [string, string?], [nameBefore, idBefore]: ListKey): boolean {
  const byName = compareNames(name, nameBefore ?? '');
  return byName > 0 || (byName === 0 && id > (idBefore ?? ''));
}
