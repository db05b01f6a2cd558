import { type ImportClient, type RestConnection, restImportClient } from '@strata/import';
import type { Client } from '../core/client.ts';
import { PAGE_SIZE } from './pages.ts';

interface ListPage<Row> {
  readonly results: readonly Row[];
  readonly next: string | null;
}

/** Returns the access of an import to an organization. */
export const importClient = (client: Client): ImportClient => restImportClient(connectionOf(client));

const PREFIX = '/api/v1/';

function connectionOf(client: Client): RestConnection {
  return {
    get: (path) => client.get(path.slice(PREFIX.length)),
    all: (path) => allRows(client, path.slice(PREFIX.length)),
    async send(link, body) {
      const [path, sent] = [link.slice(PREFIX.length), { body: body as object, isWrite: true }];
      const response = await client.reply('POST', path, sent);
      const answer = jsonOf(response.text);
      // The import continues without operations that were rejected. All other errors end it.
      const isPartial = typeof answer === 'object' && answer !== null && 'operations' in answer;
      if (response.status > 299 && !isPartial) throw await client.rejection(response, path, sent);
      return { status: response.status, body: answer };
    },
  };
}

/** Returns all rows of a list, page by page. */
async function allRows<Row>(client: Client, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const joint = path.includes('?') ? '&' : '?';
  for (let page = 1; ; page += 1) {
    const { results, next } = await client.get<ListPage<Row>>(`${path}${joint}page=${page}&page_size=${PAGE_SIZE}`);
    rows.push(...results);
    if (next === null) return rows;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
