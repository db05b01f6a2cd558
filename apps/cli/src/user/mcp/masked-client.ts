import type { Method } from '@strata/rest-client';
import { Client, type ClientReply, type Sent } from '../client.ts';

/** The only path that takes a body. A plan stores nothing. */
const PLAN = 'changesets/plan/';
/** A path with a query could contain another `mask_secrets`. */
const PATH = /^[\w/-]+$/;

/**
 * Sends only requests that read masked configuration or plan, whatever its caller requests. So no tool of the MCP
 * server can reveal a secret or write, even if it is wrong.
 */
export class MaskedClient extends Client {
  override async send<T>(method: Method, path: string, { query, body }: Sent = {}): Promise<ClientReply<T>> {
    if (PATH.test(path)) {
      if (method === 'GET') return super.send(method, path, { query: { ...query, mask_secrets: true } });
      if (path === PLAN && body) return super.send('POST', path, { body, query: { assume_write: true } });
    }
    throw new Error(`The MCP server does not send ${method} requests to ${path}.`);
  }
}
