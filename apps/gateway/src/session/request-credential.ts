import type { IncomingMessage } from 'node:http';
import { Failure } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import type { IncomingRequest } from '../context.ts';
import { asGraphQLError } from '../errors.ts';
import type { BrowserRequest } from './browser-request.ts';
import type { BrowserSession } from './sealed-cookie.ts';
import type { Sessions } from './sessions.ts';

/** The caller of a websocket whose first message has no credential. */
export interface SocketCredential {
  readonly authorization: string;
  /** The end of the session in milliseconds since 1970; null if only the credential limits it. */
  readonly endsAtMs: number | null;
}

/** Returns the caller of a GraphQL request. Throws if its session is invalid. */
export function readCaller(request: FastifyRequest, sessions: Sessions): IncomingRequest {
  // The core rejects a request with more than one key.
  const key = request.headers['idempotency-key'];
  return {
    authorization: requestCredential(request, sessions),
    requestId: request.id,
    address: request.ip,
    ...(key !== undefined && { idempotencyKey: String(key) }),
  };
}

/** Returns the credential from the header or the session, if there is one. */
function requestCredential(request: FastifyRequest, sessions: Sessions): string {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  try {
    const session = sessions.readOwnSession(request);
    if (session !== null) assertMeantForOrganization(session, request);
    return session?.authorization ?? '';
  } catch (error) {
    throw error instanceof Failure ? asGraphQLError(error) : error;
  }
}

/**
 * Rejects requests from a page of another organization. All tabs of a browser share one session, so another tab may
 * have switched the organization, in which the same names refer to other objects.
 */
export function assertMeantForOrganization({ organizationId }: BrowserSession, { headers }: FastifyRequest): void {
  const meant = headers['strata-organization'];
  if (meant === undefined || meant === organizationId) return;
  throw new Failure({
    kind: 'conflict',
    code: 'other_organization',
    message:
      'Another organization was selected in another tab of this browser. The request had no effect. Reload the page.',
  });
}

/** Returns the session of a websocket upgrade. Sessions of requests from other sites are ignored. */
export function requestCredentialAt(
  upgrade: IncomingMessage,
  sessions: Sessions,
  trustProxy: boolean,
): SocketCredential | null {
  const { authorization } = upgrade.headers;
  if (authorization !== undefined) return { authorization, endsAtMs: null };
  try {
    const session = sessions.readOwnSession(toBrowserRequest(upgrade, trustProxy));
    return session && { authorization: session.authorization, endsAtMs: session.endsAt * 1_000 };
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The HTTP framework does not process upgrades, so the headers of the nearest proxy are read here. */
function toBrowserRequest({ headers, socket }: IncomingMessage, trustProxy: boolean): BrowserRequest {
  const lastForwarded = (name: string) =>
    trustProxy
      ? String(headers[name] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '';
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  return {
    headers,
    protocol: lastForwarded('x-forwarded-proto') || (isEncrypted ? 'https' : 'http'),
    host: lastForwarded('x-forwarded-host') || (headers.host ?? ''),
  };
}
