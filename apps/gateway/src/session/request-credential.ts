import type { IncomingMessage } from 'node:http';
import { Failure } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import { asGraphQLError } from '../errors.ts';
import type { BrowserRequest } from './browser-request.ts';
import type { Session } from './sealed-session.ts';
import type { Sessions } from './sessions.ts';

/** Who speaks on a websocket when its first message does not say. */
export interface SocketCredential {
  readonly authorization: string;
  /** Until when, in milliseconds since 1970; null when the credential alone decides. */
  readonly endsAtMs: number | null;
}

/** The credential of a GraphQL request: that of its header, else that of its session, else none. */
export function requestCredential(request: FastifyRequest, sessions: Sessions): string {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  try {
    const session = sessions.speakerOf(request);
    if (session !== null) assertMeant(session, request);
    return session?.authorization ?? '';
  } catch (error) {
    throw error instanceof Failure ? asGraphQLError(error) : error;
  }
}

/**
 * A page names the organization that it shows. Tabs of a browser share one session, so it may have gone to another
 * organization meanwhile, where the same names mean other things.
 */
function assertMeant({ organizationId }: Session, { headers }: FastifyRequest): void {
  const meant = headers['strata-organization'];
  if (meant === undefined || meant === organizationId) return;
  throw new Failure(
    'conflict',
    'other_organization',
    'This page shows another organization than the one that was chosen in another tab of this browser. Nothing was done. Reload the page.',
  );
}

/** The same for the upgrade to a websocket. The session of a page that is not ours does not count. */
export function requestCredentialAt(
  upgrade: IncomingMessage,
  sessions: Sessions,
  trustProxy: boolean,
): SocketCredential | null {
  const { authorization } = upgrade.headers;
  if (authorization !== undefined) return { authorization, endsAtMs: null };
  try {
    const session = sessions.speakerOf(browserRequestOf(upgrade, trustProxy));
    return session && { authorization: session.authorization, endsAtMs: session.endsAt * 1_000 };
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** An upgrade does not pass through the HTTP framework, so what the nearest proxy says is read here. */
function browserRequestOf({ headers, socket }: IncomingMessage, trustProxy: boolean): BrowserRequest {
  const said = (name: string) =>
    trustProxy
      ? String(headers[name] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '';
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  return {
    headers,
    protocol: said('x-forwarded-proto') || (isEncrypted ? 'https' : 'http'),
    host: said('x-forwarded-host') || (headers.host ?? ''),
  };
}
