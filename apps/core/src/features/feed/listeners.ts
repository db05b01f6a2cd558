import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { CLOSE_CODES } from '@strata/contract';
import { haveEnded, type Revision, type Subscriber } from '@strata/domain';
import { decodeJwt } from 'jose';
import { type Credential, parseAuthorization } from '../../platform/auth/authorization.ts';
import { Credentials, type Identity } from '../../platform/auth/credentials.ts';
import type { TokenClaims } from '../../platform/auth/token-claims.ts';
import type { StrataRequest } from '../../platform/http/request.ts';

export type CloseCode = (typeof CLOSE_CODES)[number];

/**
 * Together with the one-second cache of `Credentials`, this closes the connections of a revoked credential within two
 * seconds.
 */
const CHECK_INTERVAL_MS = 500;

/** An open connection. `signal` is aborted when the client disconnects or the service ends the connection. */
export interface ListenerSession {
  /**
   * Returns the current permissions, or null if the credential was revoked. Reads them again unless the permissions of
   * revision `since` are already known, and if a temporary grant has ended. Every page of events calls it, so that a changed grant affects the very next
   * event.
   */
  permissions(minRevision: Revision): Promise<Subscriber | null>;
  readonly signal: AbortSignal;
  /** The reason why the service ended the connection; null if the client disconnected. */
  readonly closeCode: CloseCode | null;
  leave(): void;
}

interface WatchedCredential {
  listener: Subscriber;
  /** The permissions in `listener` include all writes up to this revision. */
  revision: Revision;
  readonly identify: (minRevision: Revision) => Promise<Identity | null>;
  /** A pending refresh, which all waiting callers share. */
  refreshing: Promise<void> | null;
  /** Milliseconds since 1970. Infinity for an API key and a session. */
  readonly expiresAt: number;
  readonly open: Set<(code: CloseCode) => void>;
}

/** Tracks all open connections, and checks each distinct credential periodically. */
@Injectable()
export class Listeners implements OnModuleInit, OnModuleDestroy {
  private readonly watched = new Map<string, WatchedCredential>();
  private timer: NodeJS.Timeout | null = null;
  private draining = false;

  constructor(private readonly credentials: Credentials) {}

  /** The number of open connections. */
  get count(): number {
    return [...this.watched.values()].reduce((sum, { open }) => sum + open.size, 0);
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  /** Closes all connections before the server stops, so that clients reconnect to another process. */
  onModuleDestroy(): void {
    this.draining = true;
    if (this.timer) clearInterval(this.timer);
    for (const { open } of this.watched.values()) for (const end of [...open]) end('draining');
  }

  /** Registers the connection of a request that the guard accepted. */
  join(request: StrataRequest, response: ServerResponse, listener: Subscriber): ListenerSession {
    const abort = new AbortController();
    const { key, watched: watchedCredential } = this.watch(request, listener);
    let closeCode: CloseCode | null = null;
    const end = (code: CloseCode) => {
      closeCode ??= code;
      abort.abort();
    };
    watchedCredential.open.add(end);
    response.once('close', () => abort.abort());
    if (this.draining) end('draining');
    return {
      permissions: async (minRevision) => {
        while (watchedCredential.revision < minRevision && closeCode !== 'credential_revoked')
          await refreshOnce(watchedCredential, minRevision);
        if (haveEnded(watchedCredential.listener, Date.now())) await refreshOnce(watchedCredential, minRevision);
        return closeCode === 'credential_revoked' ? null : watchedCredential.listener;
      },
      signal: abort.signal,
      get closeCode() {
        return closeCode;
      },
      leave: () => {
        watchedCredential.open.delete(end);
        if (watchedCredential.open.size === 0) this.watched.delete(key);
      },
    };
  }

  private watch(request: StrataRequest, listener: Subscriber): { key: string; watched: WatchedCredential } {
    const parsed = parseAuthorization(request.raw.rawHeaders);
    if (parsed.kind !== 'credential') throw new Error('Only an authenticated request can listen.');
    const { credential } = parsed;
    const key = credentialText(credential);
    const watchedCredential = this.watched.get(key) ?? {
      listener,
      revision: 0,
      refreshing: null,
      open: new Set(),
      ...this.chooseLookup(credential),
    };
    this.watched.set(key, watchedCredential);
    return { key, watched: watchedCredential };
  }

  private chooseLookup(credential: Credential): Pick<WatchedCredential, 'identify' | 'expiresAt'> {
    const expiresAt = Number.POSITIVE_INFINITY; // the lookups of keys and sessions check when they expire
    switch (credential.scheme) {
      case 'api-key':
        return {
          identify: (minRevision) => this.credentials.byApiKey(credential.prefix, credential.key, minRevision),
          expiresAt,
        };
      case 'session':
        return { identify: (minRevision) => this.credentials.bySession(credential.session, minRevision), expiresAt };
      case 'bearer':
        return this.ofToken(credential.token);
    }
  }

  /** The guard has verified the token; only its claims are needed here. */
  private ofToken(token: string): Pick<WatchedCredential, 'identify' | 'expiresAt'> {
    const claims = decodeJwt<TokenClaims>(token);
    return {
      identify: (minRevision) => this.credentials.byToken(claims, minRevision),
      expiresAt: typeof claims.exp === 'number' ? claims.exp * 1_000 : Number.POSITIVE_INFINITY,
    };
  }

  private async check(): Promise<void> {
    // If the database is unavailable, a refresh fails. No event can be sent then either, and the next check follows
    // soon.
    await Promise.allSettled([...this.watched.values()].map((credential) => refresh(credential, 0)));
  }
}

function credentialText(credential: Credential): string {
  switch (credential.scheme) {
    case 'api-key':
      return credential.key;
    case 'session':
      return credential.session.text;
    case 'bearer':
      return credential.token;
  }
}

/** Shares one refresh among all waiting callers. A caller who needs a newer revision starts another one. */
function refreshOnce(credential: WatchedCredential, minRevision: Revision): Promise<void> {
  credential.refreshing ??= refresh(credential, minRevision).finally(() => {
    credential.refreshing = null;
  });
  return credential.refreshing;
}

async function refresh(credential: WatchedCredential, minRevision: Revision): Promise<void> {
  const identity = Date.now() < credential.expiresAt ? await credential.identify(minRevision) : null;
  if (identity?.organizationId !== credential.listener.organizationId) {
    for (const end of [...credential.open]) end('credential_revoked');
  } else if (identity.revision >= credential.revision) {
    credential.listener = identity;
    credential.revision = identity.revision;
  }
}
