import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { CLOSE_CODES } from '@strata/contract';
import type { Revision, Subscriber } from '@strata/domain';
import { decodeJwt } from 'jose';
import { parseAuthorization } from '../../platform/auth/authorization.ts';
import { Credentials, type Identity } from '../../platform/auth/credentials.ts';
import type { TokenClaims } from '../../platform/auth/token-claims.ts';
import type { StrataRequest } from '../../platform/http/request.ts';

export type CloseCode = (typeof CLOSE_CODES)[number];

/** With the second for which Credentials believe an answer, a revoked credential is noticed within two. */
const CHECK_INTERVAL_MS = 500;

/** Somebody listening now. `signal` is aborted when there is nobody left to tell, or nothing may be told any more. */
export interface ListenerSession {
  /**
   * Who it is, looked up again unless it is known what this revision made of them; null when they are nobody any more.
   * Asked for every page of events, so that a right taken or given counts for the very next event.
   */
  permissions(since: Revision): Promise<Subscriber | null>;
  readonly signal: AbortSignal;
  /** Why the service ended it; null when the client went. */
  readonly closeCode: CloseCode | null;
  leave(): void;
}

interface WatchedCredential {
  listener: Subscriber;
  /** What was written until then, `listener` takes account of. */
  revision: Revision;
  readonly identify: (since: Revision) => Promise<Identity | null>;
  /** A look-up that is on its way, for all who wait for one. */
  looking: Promise<void> | null;
  /** Milliseconds since 1970; infinite for a key. */
  readonly expiresAt: number;
  readonly open: Set<(code: CloseCode) => void>;
}

/** Everybody who holds a connection open. Credentials are looked at again and again, each distinct one only once. */
@Injectable()
export class Listeners implements OnModuleInit, OnModuleDestroy {
  private readonly watched = new Map<string, WatchedCredential>();
  private timer: NodeJS.Timeout | null = null;
  private draining = false;

  constructor(private readonly credentials: Credentials) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  /** The process has been asked to stop: everybody is sent elsewhere before the server closes. */
  onModuleDestroy(): void {
    this.draining = true;
    if (this.timer) clearInterval(this.timer);
    for (const { open } of this.watched.values()) for (const end of [...open]) end('draining');
  }

  /** For a request that the guard has let through. */
  join(request: StrataRequest, response: ServerResponse, listener: Subscriber): ListenerSession {
    const abort = new AbortController();
    const { key, watched } = this.watch(request, listener);
    let closeCode: CloseCode | null = null;
    const end = (code: CloseCode) => {
      closeCode ??= code;
      abort.abort();
    };
    watched.open.add(end);
    response.once('close', () => abort.abort());
    if (this.draining) end('draining');
    return {
      permissions: async (since) => {
        while (watched.revision < since && closeCode !== 'credential_revoked') await refreshOnce(watched, since);
        return closeCode === 'credential_revoked' ? null : watched.listener;
      },
      signal: abort.signal,
      get closeCode() {
        return closeCode;
      },
      leave: () => {
        watched.open.delete(end);
        if (watched.open.size === 0) this.watched.delete(key);
      },
    };
  }

  private watch(request: StrataRequest, listener: Subscriber): { key: string; watched: WatchedCredential } {
    const parsed = parseAuthorization(request.raw.rawHeaders);
    if (parsed.kind !== 'credential') throw new Error('Only an authenticated request can listen.');
    const { credential } = parsed;
    const key = credential.scheme === 'api-key' ? credential.key : credential.token;
    const watched = this.watched.get(key) ?? {
      listener,
      revision: 0,
      looking: null,
      open: new Set(),
      ...(credential.scheme === 'api-key' ? this.ofKey(credential.prefix, key) : this.ofToken(key)),
    };
    this.watched.set(key, watched);
    return { key, watched };
  }

  private ofKey(prefix: string, key: string): Pick<WatchedCredential, 'identify' | 'expiresAt'> {
    return {
      identify: (since) => this.credentials.byApiKey(prefix, key, since),
      expiresAt: Number.POSITIVE_INFINITY,
    };
  }

  /** The guard has verified the token; here only its claims are needed. */
  private ofToken(token: string): Pick<WatchedCredential, 'identify' | 'expiresAt'> {
    const claims = decodeJwt<TokenClaims>(token);
    return {
      identify: (since) => this.credentials.byToken(claims, since),
      expiresAt: typeof claims.exp === 'number' ? claims.exp * 1_000 : Number.POSITIVE_INFINITY,
    };
  }

  private async check(): Promise<void> {
    // the database may be away: nothing new can be told either, and the next look is soon
    await Promise.allSettled([...this.watched.values()].map((watched) => refresh(watched, 0)));
  }
}

/** One look-up for all who wait. Who needs a newer one than is on its way asks again. */
function refreshOnce(watched: WatchedCredential, since: Revision): Promise<void> {
  watched.looking ??= refresh(watched, since).finally(() => {
    watched.looking = null;
  });
  return watched.looking;
}

async function refresh(watched: WatchedCredential, since: Revision): Promise<void> {
  const identity = Date.now() < watched.expiresAt ? await watched.identify(since) : null;
  if (identity?.organizationId !== watched.listener.organizationId) {
    for (const end of [...watched.open]) end('credential_revoked');
  } else if (identity.revision >= watched.revision) {
    watched.listener = identity;
    watched.revision = identity.revision;
  }
}
