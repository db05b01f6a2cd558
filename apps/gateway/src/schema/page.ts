import { LIST_START, listCursor, type Operation } from '@strata/contract';
import { decodeListCursor, encodeListCursor, isListOf } from '@strata/domain';
import type { Query } from '../core.ts';
import { badInputError } from '../errors.ts';

export const DEFAULT_PAGE = 50;
/** The largest page. It limits the size of a response. */
export const MAX_PAGE = 200;
/** The largest number of rows that a page can skip. */
export const MAX_SKIP = 1_000_000;
/** The largest page of the core. */
const CORE_PAGE = 2_500;

export interface PageArgs {
  readonly first: number;
  readonly after?: string | null;
  /** For lists that can be read from any row: how many rows to skip. */
  readonly skip?: number;
}

/** Identifies the list of a page. Cursors of other lists are rejected. */
export interface ListIdentity {
  readonly operation: Pick<Operation, 'sortedBy' | 'query'>;
  /** The path below the API, with ids. */
  readonly path: string;
  /** The requested order; null for the default one. */
  readonly ordering: string | null;
}

export interface CorePage<Row> {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly Row[];
}

export interface ListPage<Row> {
  readonly rows: readonly { readonly row: Row; readonly cursor: () => string }[];
  readonly count: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A request to the core and the function that reads its response. */
export interface CorePageRequest {
  readonly query: Query;
  read<Row extends object>(page: CorePage<Row>): ListPage<Row>;
}

/**
 * In the default order a cursor is the position of a row, from which the core continues. In other orders, and in lists
 * without positions, a cursor counts rows.
 */
export function pageRequest(list: ListIdentity, args: PageArgs): CorePageRequest {
  const { first, skip = 0 } = args;
  if (first < 0 || first > MAX_PAGE) throw badInputError(`\`first\` must be between 0 and ${MAX_PAGE}.`);
  if (skip < 0 || skip > MAX_SKIP) throw badInputError(`\`skip\` must be between 0 and ${MAX_SKIP}.`);
  if (skip > 0 && args.after) throw badInputError('Set `after` or `skip`, not both.');
  const hasPositions =
    skip === 0 && list.ordering === null && list.operation.query !== undefined && 'after' in list.operation.query.shape;
  if (!hasPositions) return byNumber(list, args);
  return list.operation.sortedBy ? byPosition(list, args) : byPositionInPage(list, args);
}

/** Every row contains its sort key, so each has a cursor of its own. */
function byPosition({ operation, path }: ListIdentity, { first, after }: PageArgs): CorePageRequest {
  const position = after ? decodeListCursor(after) : null;
  if (after && (position === null || !isListOf(position, path))) throw foreignCursor();
  return {
    query: { after: after || LIST_START, page_size: Math.max(first, 1) },
    read: ({ count, next, results }) => ({
      rows: results.slice(0, first).map((row) => ({ row, cursor: () => listCursor(operation, path, row) ?? '' })),
      count,
      hasNextPage: next !== null || results.length > first,
      hasPreviousPage: Boolean(after),
    }),
  };
}

/**
 * Only the core knows the position of a page's last row. Cursors of the other rows count from the position of the page.
 */
function byPositionInPage({ path }: ListIdentity, { first, after }: PageArgs): CorePageRequest {
  const [base = LIST_START, offset = 0] = after ? countedIn(after, path) : [];
  const size = Math.min(Math.max(first, 1) + offset, CORE_PAGE);
  return {
    query: { after: base, page_size: size },
    read: ({ count, next, results }) => {
      const rows = results.slice(offset, offset + first);
      const nextPosition = next === null ? null : new URL(next).searchParams.get('after');
      return {
        rows: rows.map((row, index) => {
          const isLastOfPage = nextPosition !== null && offset + index + 1 === results.length;
          return {
            row,
            cursor: () => (isLastOfPage ? counted(path, nextPosition, 0) : counted(path, base, offset + index + 1)),
          };
        }),
        count,
        hasNextPage: next !== null || results.length > offset + first,
        hasPreviousPage: Boolean(after),
      };
    },
  };
}

/**
 * The core counts pages and Relay counts rows. For any range of rows there is a page size with which one page contains
 * the whole range.
 */
function byNumber({ path, ordering }: ListIdentity, { first, after, skip = 0 }: PageArgs): CorePageRequest {
  const order = `${path}~${ordering ?? ''}`;
  const [, offset = skip] = after ? countedIn(after, order) : [];
  for (let size = Math.max(first, 1); size <= CORE_PAGE; size += 1) {
    const skip = offset % size;
    if (skip + first > size) continue;
    return {
      query: { page: (offset - skip) / size + 1, page_size: size },
      read: ({ count, results }) => ({
        rows: results
          .slice(skip, skip + first)
          .map((row, index) => ({ row, cursor: () => counted(order, '', offset + index + 1) })),
        count,
        hasNextPage: offset + Math.min(first, Math.max(results.length - skip, 0)) < count,
        hasPreviousPage: offset > 0,
      }),
    };
  }
  throw badInputError('This cursor is outside the list.');
}

/** Returns the cursor of the row that is this many rows after the row of `base`. */
function counted(list: string, base: string, rows: number): string {
  return encodeListCursor(list, [base, String(rows)]);
}

function countedIn(cursor: string, list: string): readonly [base: string, rows: number] {
  const position = decodeListCursor(cursor);
  const [base, rows] = position?.key ?? [];
  const isOurs = position && isListOf(position, list) && typeof base === 'string' && /^\d{1,9}$/.test(rows ?? '');
  if (!isOurs) throw foreignCursor();
  return [base, Number(rows)];
}

function foreignCursor() {
  return badInputError('`after` is not a cursor of this list.');
}
