import type { Query } from '@strata/rest-client';
import type { Client } from '../core/client.ts';

export const PAGE_SIZE = 500;

interface SearchResults<T> {
  readonly cursor: string | null;
  readonly next: string | null;
  readonly results: readonly T[];
}

/** Reads the pages of a search until the limit. A page can be incomplete, because its time is limited too. */
export async function pagesOf<T>(
  client: Client,
  path: string,
  query: Query,
  limit = Number.POSITIVE_INFINITY,
  start?: string,
) {
  const results: T[] = [];
  for (let after = start; ; ) {
    const request = { ...query, after, page_size: Math.min(PAGE_SIZE, limit - results.length) };
    const page: SearchResults<T> = await client.get(path, request);
    results.push(...page.results);
    if (page.next === null || page.cursor === null) return { results, isComplete: true, cursor: null };
    if (results.length >= limit) return { results, isComplete: false, cursor: page.cursor };
    after = page.cursor;
  }
}

/** Reads all pages of a list. */
export async function allPages<P extends { readonly next: string | null }>(
  client: Client,
  path: string,
  query: Query = {},
): Promise<readonly P[]> {
  const pages: P[] = [];
  for (let page = 1; ; page++) {
    const found = await client.get<P>(path, { ...query, page, page_size: PAGE_SIZE });
    pages.push(found);
    if (found.next === null) return pages;
  }
}
