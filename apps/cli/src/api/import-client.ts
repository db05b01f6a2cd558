import { type ImportClient, type RestConnection, restImportClient } from '@strata/import';
import type { Client } from '../core/client.ts';
import { queryIn, readRows } from './pages.ts';

/** Returns the access of an import to an organization. */
export const importClient = (client: Client): ImportClient => restImportClient(restConnection(client));

const PREFIX = '/api/v1/';

function restConnection(client: Client): RestConnection {
  return {
    get: (path) => client.get(path.slice(PREFIX.length)),
    async all<Row>(link: string) {
      const [path = ''] = link.slice(PREFIX.length).split('?');
      return (await readRows<Row>(client, path, queryIn(link))).results;
    },
    async send(link, body) {
      const [path, sent] = [link.slice(PREFIX.length), { body: body as object, isWrite: true }];
      const response = await client.reply('POST', path, sent);
      const answer = parseJson(response.text);
      // The import continues without operations that were rejected. All other errors end it.
      const isPartial = typeof answer === 'object' && answer !== null && 'operations' in answer;
      if (response.status > 299 && !isPartial) throw await client.rejection(response, path, sent);
      return { status: response.status, body: answer };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
