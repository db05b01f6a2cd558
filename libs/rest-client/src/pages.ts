import type {
  ListId,
  OperationArguments,
  OperationClient,
  OperationRequest,
  OperationResponse,
  RowOf,
} from '@strata/contract';
import type { Query } from './transport.ts';

const PAGE_SIZE = 500;

interface AnyPage {
  /** The link to the next page. */
  readonly next: string | null;
  readonly results: readonly unknown[];
  /** The position behind a page of a search. */
  readonly cursor?: string | null;
}

interface ReadRows {
  /** The number of rows after which reading ends. */
  readonly limit?: number | undefined;
  /** The cursor to begin at. */
  readonly after?: string | undefined;
}

/** Reads the pages of a list or a search. Each page contains the link to the next one. */
export async function* readPages<Id extends ListId>(
  client: OperationClient,
  id: Id,
  request: OperationRequest<Id> | undefined,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<OperationResponse<Id>, void> {
  let count = 0;
  const pageSize = () => Math.max(1, Math.min(PAGE_SIZE, limit - count));
  for (let query: Query | null = { ...request?.query, page_size: pageSize() }; query !== null; ) {
    const page = await client.call(id, ...([{ ...request, query }] as unknown as OperationArguments<Id>));
    const { results, next } = page as AnyPage;
    count += results.length;
    query = next === null ? null : queryIn(next);
    // A page of a search can be incomplete, because its time is limited. Numbered pages all have the same size.
    if (query?.after !== undefined) query = { ...query, page_size: pageSize() };
    yield page;
  }
}

/** Returns the query of a link. The address of Strata can differ from that of the link behind a proxy. */
function queryIn(link: string): Query {
  const { searchParams } = new URL(link, 'http://strata.invalid');
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, { repeated: searchParams.getAll(name) }]));
}

/** Reads all pages of a list. */
export async function readAllPages<Id extends ListId>(
  client: OperationClient,
  id: Id,
  ...[request]: OperationArguments<Id>
): Promise<readonly OperationResponse<Id>[]> {
  const pages: OperationResponse<Id>[] = [];
  for await (const page of readPages(client, id, request)) pages.push(page);
  return pages;
}

/** Reads all rows of a list or a search. */
export const readAllRows = async <Id extends ListId>(
  client: OperationClient,
  id: Id,
  ...[request]: OperationArguments<Id>
): Promise<readonly RowOf<Id>[]> => (await readRows(client, id, request, {})).results;

/** Reads the rows of a list or a search until the limit, from a cursor if there is one. */
export async function readRows<Id extends ListId>(
  client: OperationClient,
  id: Id,
  request: OperationRequest<Id> | undefined,
  { limit, after }: ReadRows,
) {
  const results: RowOf<Id>[] = [];
  const start = { ...request, query: { ...request?.query, after } } as OperationRequest<Id>;
  for await (const page of readPages(client, id, start, limit) as AsyncGenerator<AnyPage, void>) {
    results.push(...(page.results as RowOf<Id>[]));
    // A numbered page can be larger than the rest of the limit.
    if (limit !== undefined && (results.length > limit || (results.length === limit && page.next !== null)))
      return { results: results.slice(0, limit), isComplete: false, cursor: page.cursor ?? null };
  }
  return { results, isComplete: true, cursor: null };
}
