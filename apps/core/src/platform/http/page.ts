import type { Page } from '@strata/contract';
import { Failure, pageWindow, type Revision } from '@strata/domain';
import type { PageOf } from '../database/snapshot-reader.ts';
import type { Call } from './request.ts';

/** As parsed by the contract: 1-based page and a size within bounds. */
export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
}

export function window({ page, page_size: limit }: PageRequest): { limit: number; offset: number } {
  return { limit, offset: (page - 1) * limit };
}

/** The list envelope; next and previous keep every other query parameter (behaviour.md §1.6). */
export function envelope<Row, T>(
  call: Call,
  { page, page_size: pageSize }: PageRequest,
  found: PageOf<Row>,
  present: (row: Row) => T,
): Page<T> {
  const seen = pageWindow({ page, pageSize }, found.count);
  if (seen === 'not_found') throw new Failure('not_found', 'invalid_page', 'Invalid page.');
  call.reply.header('x-revision', String(found.revision));
  return {
    count: found.count,
    next: seen.hasNext ? pageLink(call, page + 1) : null,
    previous: seen.hasPrevious ? pageLink(call, page - 1) : null,
    results: found.rows.map(present),
  };
}

/** The list of a thing that nobody can have yet. */
export function emptyPage(call: Call, request: PageRequest, revision: Revision): Page<never> {
  return envelope<never, never>(call, request, { count: 0, rows: [], revision }, (row) => row);
}

function pageLink({ links, url }: Call, page: number): string {
  const link = new URL(url, links.origin);
  if (page === 1) link.searchParams.delete('page');
  else link.searchParams.set('page', String(page));
  return link.href;
}
