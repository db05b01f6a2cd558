import type { FastifyReply } from 'fastify';
import type { Heads } from '../ledger/heads.ts';
import type { StrataRequest } from './request.ts';

/**
 * Adds `X-Revision` to a response to an authenticated caller. A handler that shows data of the organization has set the
 * revision that it shows. All other responses, such as rejections, get the present revision. A 5xx response gets none.
 */
export function addRevision(
  heads: Heads,
  { user }: StrataRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown | Promise<unknown> {
  if (!user || reply.statusCode >= 500 || reply.hasHeader('x-revision')) return payload;
  const setHeader = (revision: number | null) => {
    // returns nothing, because a reply is a thenable that waits until the response is sent
    if (revision !== null) reply.header('x-revision', String(revision));
  };
  const ignore = () => undefined; // the response is correct without the header
  return heads
    .readRevision(user.organizationId)
    .then(setHeader, ignore)
    .then(() => payload);
}
