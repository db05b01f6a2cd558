import { type ImportClient, restImportClient } from '@strata/import';
import { type AnyRequest, readAllRows } from '@strata/rest-client';
import type { Client } from '../core/client.ts';

/** Returns the access of an import to an organization. */
export const importClient = (client: Client): ImportClient =>
  restImportClient({
    call: client.call.bind(client),
    rows: (id, ...request) => readAllRows(client, id, ...request),
    async apply(body) {
      const request: AnyRequest = { body };
      const response = await client.reply('changesets_create', request, { isWrite: true });
      const answer = parseJson(response.text);
      // The import continues without operations that were rejected. All other errors end it.
      const isPartial = typeof answer === 'object' && answer !== null && 'operations' in answer;
      if (response.status > 299 && !isPartial) throw await client.rejection(response, request);
      return { status: response.status, body: answer };
    },
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
