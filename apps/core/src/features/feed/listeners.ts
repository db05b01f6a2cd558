import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { CLOSE_CODES } from '@strata/contract';
import type { Listener } from '@strata/domain';
import { parseAuthorization } from '../../platform/auth/authorization.ts';
import { Credentials, type Identity } from '../../platform/auth/credentials.ts';
import type { StrataRequest } from '../../platform/http/request.ts';

export type CloseCode = (typeof CLOSE_CODES)[number];

/** With the second for which Credentials believe an answer, a revoked credential is noticed within two. */
const CHECK_EVERY_MS = 500;

/** Somebody listening now. `signal` is aborted when there is nobody left to tell, or nothing may be told any more. */
export interface Listening {
  /** Who it is at this moment: the role may change while somebody listens. */
  readonly listener: Listener;
  readonly signal: AbortSignal;
  /** Why the service ended it; null when the client went. */
  readonly closeCode: CloseCode | null;
  leave(): void;
}

interface Watched {
  identity: Identity;
  readonly identify: () => Promise<Identity | null>;
  /** Milliseconds since 1970; infinite for a key. */
  readonly expiresAt: number;
  readonly open: Set<(code: CloseCode) => void>;
}

/** Everybody who holds a connection open. Credentials are looked at again and again, each distinct one only once. */
@Injectable()
export class Listeners implements OnModuleInit, OnModuleDestroy {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | null = null;
  private draining = false;

  constructor(private readonly credentials: Credentials) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
  }

  /** The process has been asked to stop: everybody is sent elsewhere before the server closes. */
  onModuleDestroy(): void {
    this.draining = true;
    if (this.timer) clearInterval(this.timer);
    for (const { open } of this.watched.values()) for (const end of [...open]) end('draining');
  }

  /** For a request that the guard has let through. */
  join(request: StrataRequest, response: ServerResponse, identity: Identity): Listening {
    const abort = new AbortController();
    const { key, watched } = this.watch(request, identity);
    let closeCode: CloseCode | null = null;
    const end = (code: CloseCode) => {
      closeCode ??= code;
      abort.abort();
    };
    watched.open.add(end);
    response.once('close', () => abort.abort());
    if (this.draining) end('draining');
    return {
      get listener() {
        return watched.identity;
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

  private watch(request: StrataRequest, identity: Identity): { key: string; watched: Watched } {
    const parsed = parseAuthorization(request.raw.rawHeaders);
    if (parsed.kind !== 'credential') throw new Error('Only an authenticated request can listen.');
    const { credential } = parsed;
    const key = credential.scheme === 'api-key' ? credential.key : credential.token;
    let watched = this.watched.get(key);
    if (!watched) {
      watched =
        credential.scheme === 'api-key'
          ? this.ofKey(credential.prefix, credential.key, identity)
          : this.ofToken(credential.token, identity);
      this.watched.set(key, watched);
    }
    watched.identity = identity;
    return { key, watched };
  }

  private ofKey(prefix: string, key: string, identity: Identity): Watched {
    const identify = () => this.credentials.byApiKey(prefix, key);
    return { identity, identify, expiresAt: Number.POSITIVE_INFINITY, open: new Set() };
  }

  /** The guard has verified the token; here only its claims are needed. */
  private ofToken(token: string, identity: Identity): Watched {
    const claims = claimsOf(token);
    const organizationId = typeof claims.organization === 'string' ? claims.organization : null;
    const version = typeof claims.token_version === 'number' ? claims.token_version : null;
    const identify = () => this.credentials.byToken(String(claims.sub), organizationId, version);
    const expiresAt = typeof claims.exp === 'number' ? claims.exp * 1_000 : Number.POSITIVE_INFINITY;
    return { identity, identify, expiresAt, open: new Set() };
  }

  private async check(): Promise<void> {
    await Promise.all([...this.watched.values()].map((watched) => checkOne(watched)));
  }
}

async function checkOne(watched: Watched): Promise<void> {
  try {
    const identity = Date.now() < watched.expiresAt ? await watched.identify() : null;
    if (identity?.organizationId === watched.identity.organizationId) watched.identity = identity;
    else for (const end of [...watched.open]) end('credential_revoked');
  } catch {
    // the database is away: nothing new can be told either, and the next look is soon
  }
}

interface Claims {
  readonly sub?: unknown;
  readonly organization?: unknown;
  readonly token_version?: unknown;
  readonly exp?: unknown;
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}
