import type { Method } from '@strata/rest-client';
import { Client, type Sent } from '../core/client.ts';
import type { HttpResponse } from '../core/http-request.ts';

/** The only path that takes a body. A plan stores nothing. */
const PLAN = 'changesets/plan/';
/** A path with a query could contain another `mask_secrets`. */
const PATH = /^[\w/-]+$/;

/**
 * Sends only requests that read masked configuration or plan, whatever its caller requests. So no tool of the MCP
 * server can reveal a secret or write, even if it is wrong.
 */
export class MaskedClient extends Client {
  /** All other methods of the client send their requests through this one. */
  override async reply(method: Method, path: string, { query, body }: Sent = {}): Promise<HttpResponse> {
    if (PATH.test(path)) {
      if (method === 'GET') return super.reply(method, path, { query: { ...query, mask_secrets: true } });
      if (path === PLAN && body) return super.reply('POST', path, { body, query: { assume_write: true } });
    }
    throw new Error(`The MCP server does not send ${method} requests to ${path}.`);
  }
}
