import type { OperationId } from '@strata/contract';
import { type AnyRequest, findRoute } from '@strata/rest-client';
import { Client } from '../core/client.ts';
import type { HttpResponse } from '../core/http-request.ts';

/**
 * Sends only requests that read masked configuration or plan, whatever its caller requests. So no tool of the MCP
 * server can reveal a secret or write, even if it is wrong.
 */
export class MaskedClient extends Client {
  /** All other methods of the client send their requests through this one. */
  override async reply(id: OperationId, { path, query, body }: AnyRequest): Promise<HttpResponse> {
    // Streams reveal secrets by this parameter.
    if (query && 'reveal' in query) throw new Error('The MCP server does not reveal secrets.');
    if (findRoute(id, path).method === 'GET') return super.reply(id, { path, query: { ...query, mask_secrets: true } });
    // A plan stores nothing.
    if (id === 'changesets_plan_create') return super.reply(id, { body, query: { assume_write: true } });
    throw new Error(`The MCP server does not send requests for ${id}.`);
  }
}
