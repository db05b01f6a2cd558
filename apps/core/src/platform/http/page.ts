import { BY_NAME, type OrderBy, type Page, PageQuery, parseQuery, type SortedBy, sortKey } from '@strata/contract';
import { encodeListCursor, Failure, isListOf, type ListKey, pageWindow } from '@strata/domain';
import type { z } from 'zod';
import type { PageResult } from '../postgres/snapshot-reader.ts';
import { LazyList } from './json-text.ts';
import {
  type AfterCursor,
  buildOrder,
  conditionAfter,
  invalidCursorError,
  NAME_ORDER,
  NEWEST_FIRST_ORDER,
} from './list-order.ts';
import type { Call } from './request.ts';

/** A page as the contract parses it: a page number from 1 and a size within limits, or a cursor. */
export interface ListPageRequest {
  readonly page: number;
  readonly page_size: number;
  readonly after?: AfterCursor;
}

const AfterQuery = PageQuery.pick({ after: true });

type UnorderedPage = Omit<typeof PageQuery.shape, 'ordering' | 'id__in'>;

/** Parses the query of a list. A request with a cursor uses the default order and has no page number. */
export function parseListQuery<S extends z.ZodObject<UnorderedPage>>(schema: S, call: Call): z.output<S> {
  const query = parseQuery(schema, call.query);
  const { after } = parseQuery(AfterQuery, call.query);
  if (after === undefined) return query;
  const { page, ordering } = call.query;
  if (page !== undefined && page !== '') {
    throw Failure.invalid('contradiction', 'Set after or page, not both.').at('/page');
  }
  if (ordering !== undefined && ordering !== '') {
    const message = 'Cursors require the default ordering. Omit ordering, or use page.';
    throw Failure.invalid('contradiction', message).at('/ordering');
  }
  if (after !== 'start' && !isListOf(after, call.url)) throw invalidCursorError();
  return query;
}

/** The parts of a request that the envelope of a list needs. */
type Listing = Pick<Call, 'links' | 'url' | 'reply'>;

export function offsetWindow({ page, page_size: limit }: ListPageRequest): { limit: number; offset: number } {
  return { limit, offset: (page - 1) * limit };
}

/** Returns the order and the rows of a page of a list that the caller may order. `defaultOrder` is the order of its cursors. */
export function requestedPage(
  query: ListPageRequest & { readonly ordering?: readonly OrderBy[] | undefined },
  furtherOrders: Readonly<Record<string, string>> = {},
  defaultOrder = NAME_ORDER,
) {
  return {
    order: buildOrder(query.ordering, furtherOrders),
    page: offsetWindow(query),
    after: conditionAfter(query.after, defaultOrder),
  };
}

/** Returns the order and the rows of a page of a list that is always read latest first. */
export function newestPage(query: ListPageRequest) {
  return {
    order: 'object.created_at desc, object.id',
    page: offsetWindow(query),
    after: conditionAfter(query.after, NEWEST_FIRST_ORDER),
  };
}

/** A page that creates its members when it is written. */
export type ListBody<T> = Omit<Page<T>, 'results'> & { readonly results: Iterable<T> };

/**
 * Builds the envelope of a list. `next` and `previous` keep all other query parameters (behaviour.md §1.6). A request
 * with a cursor gets the cursor of the page's last row in `next`, built from the columns in `sortedBy`, and no
 * `previous`.
 */
export function presentListPage<Row extends object, T>(
  call: Listing,
  { page, page_size: pageSize, after }: ListPageRequest,
  result: PageResult<Row>,
  presentRow: (row: Row) => T,
  sortedBy: SortedBy = BY_NAME,
): ListBody<T> {
  const window = pageWindow({ page, pageSize }, result.count);
  if (window === 'not_found') throw new Failure({ kind: 'not_found', code: 'invalid_page', message: 'Invalid page.' });
  call.reply.header('x-revision', String(result.revision));
  const results = new LazyList(result.rows, presentRow);
  if (after !== undefined) {
    const lastRow = result.rows.at(-1);
    const hasNext = lastRow !== undefined && (result.following ?? 0) > result.rows.length;
    return {
      count: result.count,
      next: hasNext ? cursorLink(call, sortKey(sortedBy, lastRow)) : null,
      previous: null,
      results,
    };
  }
  return {
    count: result.count,
    next: window.hasNext ? pageLink(call, page + 1) : null,
    previous: window.hasPrevious ? pageLink(call, page - 1) : null,
    results,
  };
}

/** The request line may contain a host, too. Links always use the origin of the service. */
function ownLink({ links, url }: Pick<Listing, 'links' | 'url'>): URL {
  const { pathname, search } = new URL(url, links.origin);
  return new URL(pathname + search, links.origin);
}

function pageLink(listing: Listing, page: number): string {
  const link = ownLink(listing);
  if (page === 1) link.searchParams.delete('page');
  else link.searchParams.set('page', String(page));
  return link.href;
}

/** Returns the link of the same request that continues after the given row. */
export function cursorLink(listing: Pick<Listing, 'links' | 'url'>, key: ListKey): string {
  const link = ownLink(listing);
  link.searchParams.set('after', encodeListCursor(link.pathname, key));
  return link.href;
}
