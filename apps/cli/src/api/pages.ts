import type { Query } from '@strata/rest-client';
import type { Client } from '../core/client.ts';

export const PAGE_SIZE = 500;

interface AnyPage<Row = unknown> {
  /** The link to the next page. */
  readonly next: string | null;
  readonly results: readonly Row[];
  /** The position behind a page of a search. */
  readonly cursor?: string | null;
}

/** Reads the pages of a list or a search. Each page contains the link to the next one. */
export async function* readPages<P extends AnyPage>(
  client: Client,
  path: string,
  query: Query = {},
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<P, void> {
  let count = 0;
  const pageSize = () => Math.max(1, Math.min(PAGE_SIZE, limit - count));
  for (let request: Query | null = { ...query, page_size: pageSize() }; request !== null; ) {
    const page: P = await client.get<P>(path, request);
    count += page.results.length;
    request = page.next === null ? null : queryIn(page.next);
    // A page of a search can be incomplete, because its time is limited. Numbered pages all have the same size.
    if (request?.after !== undefined) request = { ...request, page_size: pageSize() };
    yield page;
  }
}

/** Returns the query of a link. The address of Strata can differ from that of the link behind a proxy. */
export function queryIn(link: string): Query {
  const { searchParams } = new URL(link, 'http://strata.invalid');
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, { repeated: searchParams.getAll(name) }]));
}

/** Reads all pages of a list. */
export async function readAllPages<P extends AnyPage>(
  client: Client,
  path: string,
  query?: Query,
): Promise<readonly P[]> {
  const pages: P[] = [];
  for await (const page of readPages<P>(client, path, query)) pages.push(page);
  return pages;
}

/** Reads the rows of a list or a search until the limit, from a cursor if there is one. */
export async function readRows<Row>(client: Client, path: string, query: Query = {}, limit?: number, start?: string) {
  const results: Row[] = [];
  for await (const page of readPages<AnyPage<Row>>(client, path, { ...query, after: start }, limit)) {
    results.push(...page.results);
    // A numbered page can be larger than the rest of the limit.
    if (limit !== undefined && (results.length > limit || (results.length === limit && page.next !== null)))
      return { results: results.slice(0, limit), isComplete: false, cursor: page.cursor ?? null };
  }
  return { results, isComplete: true, cursor: null };
}
