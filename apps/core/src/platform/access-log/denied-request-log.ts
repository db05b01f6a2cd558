import { Injectable, Logger } from '@nestjs/common';
import type { AccessLogAction, OrganizationId, UserId } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { parseAuthorization } from '../auth/authorization.ts';
import type { Caller } from '../caller.ts';
import type { StrataRequest } from '../http/request.ts';
import { currentRequestId } from '../limits/request-limits.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { ServiceKeys } from '../vault/service-keys.ts';
import { ACCOUNTS_OF_KEYS, ORGANIZATIONS_OF_ACCOUNTS, RECORD_DENIED_REQUESTS } from './denied-request-statements.ts';
import { RequestCounts } from './request-counts.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';

const FLUSH_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * Limits memory while the database is unavailable, and while an attacker tries many accounts. Beyond 10,000 callers and
 * rules, denied requests appear only in the request log.
 */
const WAITING_MAX = 10_000;
/** Limits the time of one statement. The rest follows a second later. */
const RECORDS_AT_ONCE = 500;
const FORBIDDEN = 403;

/** A denied request or sign-in, without its caller. */
interface Denial {
  readonly action: AccessLogAction;
  /** The error code. Never a text of the client. */
  readonly rule: string;
  readonly ability: string | null;
  /** The method and the path of the operation, with placeholders. */
  readonly operation: string | null;
  readonly surface: string;
  readonly requestId: string;
  readonly target: RequestTarget | null;
}

interface Account {
  readonly organizationId: OrganizationId;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorType: string;
}

/** A denied request or sign-in with a credential or an address whose account and organizations are not known yet. */
interface Unresolved {
  readonly denial: Denial;
  /** A name of the account for the statement that finds it. */
  readonly account: Readonly<Record<string, string | undefined>>;
}

export interface DeniedSignIn {
  /** The account that was tried. If it does not exist, nothing is recorded. */
  readonly account: { readonly personId: UserId } | { readonly email: string };
  /** The error code, or a more precise code of ours. Never a text that the client sent. */
  readonly rule: string;
  /** If the sign-in was to one organization, only this one. */
  readonly organizationId?: OrganizationId;
}

/**
 * Records denied requests and sign-ins in the access log. No request waits for it: they are counted by caller and
 * rule, and written within a second, at most one record of each per minute. The database limits the records of an
 * organization per minute.
 */
@Injectable()
export class DeniedRequestLog {
  private readonly logger = new Logger('access');
  private readonly counts = new RequestCounts<Denial & Account>(WAITING_MAX);
  private readonly signIns = new RequestCounts<Unresolved>(WAITING_MAX);
  private readonly keys = new RequestCounts<Unresolved>(WAITING_MAX);
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly reader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  /** Records a request if its response is a 403 and its caller or its account is known. */
  log(request: StrataRequest, reply: FastifyReply): void {
    if (reply.statusCode !== FORBIDDEN) return;
    const { user, rejectedIdentity } = request;
    const rule = String(reply.getHeader('x-error-code') ?? 'forbidden');
    if (user) this.addRequest(request, user, rule);
    else if (rejectedIdentity) this.signIn({ account: { email: rejectedIdentity.email }, rule });
    else this.addKey(request);
  }

  /** Records a denied sign-in in each organization of the account. */
  signIn({ account, rule, organizationId }: DeniedSignIn): void {
    const requestId = currentRequestId();
    const unknownTarget = { ability: null, operation: null, target: null };
    const denial: Denial = { action: 'sign_in_refused', rule, surface: 'rest', requestId, ...unknownTarget };
    const accountColumns = 'email' in account ? { email: account.email.trim().toLowerCase() } : account;
    this.signIns.add(JSON.stringify([accountColumns, organizationId, rule]), {
      denial,
      account: { ...accountColumns, organizationId },
    });
    this.schedule();
  }

  private addRequest(request: StrataRequest, user: Caller, rule: string): void {
    const { organizationId, id: actorId, name: actorName, type: actorType, surface, requestId, authorization } = user;
    const ability = authorization?.ability ?? null;
    const account: Account = { organizationId, actorId, actorName, actorType };
    const [operation, target] = [describeOperation(request), parseRequestTarget(request)];
    const denial: Denial = { action: 'request_refused', rule, ability, operation, surface, requestId, target };
    const denialOfAccount = { ...account, ...denial };
    this.counts.add(denialKey(denialOfAccount), denialOfAccount);
    this.schedule();
  }

  /** Keeps the HMAC of the key, never the key. Only a complete key is recorded, whose holder was a known caller. */
  private addKey(request: StrataRequest): void {
    const parsed = parseAuthorization(request.raw.rawHeaders);
    if (parsed.kind !== 'credential' || parsed.credential.scheme !== 'api-key') return;
    const { prefix, key } = parsed.credential;
    const hmac = this.serviceKeys.apiKeyHmac(key).toString('hex');
    const [operation, requestId] = [describeOperation(request), request.id];
    const unknownTarget = { ability: null, target: null };
    const rule = 'bad_credential';
    const denial: Denial = { action: 'request_refused', rule, operation, surface: 'rest', requestId, ...unknownTarget };
    this.keys.add(hmac, { denial, account: { prefix, hmac } });
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the records that are due. Those that cannot be written now wait for the next attempt. */
  flush(): Promise<void> {
    this.timer = null;
    this.writing = this.writing.then(async () => {
      try {
        await this.resolve(this.signIns, ORGANIZATIONS_OF_ACCOUNTS);
        await this.resolve(this.keys, ACCOUNTS_OF_KEYS);
        await this.record(Math.floor(Date.now() / MINUTE_MS));
      } catch {
        this.logger.warn('Denied requests could not be recorded; trying again.');
      }
      if ([this.signIns, this.keys, this.counts].some(({ isWaiting }) => isWaiting)) this.schedule();
    });
    return this.writing;
  }

  /** Finds the accounts and organizations of denied requests and sign-ins, and counts them there. Drops those that belong to no account. */
  private async resolve(counts: RequestCounts<Unresolved>, statement: string): Promise<void> {
    const dueCounts = counts.due(Number.POSITIVE_INFINITY);
    if (dueCounts.length === 0) return;
    const rows = dueCounts.map(({ key, details: { account } }) => ({ key, ...account }));
    const accountRows = await this.reader.unlimited.query<Account & { key: string }>(statement, [JSON.stringify(rows)]);
    const accounts = Map.groupBy(accountRows, ({ key }) => key);
    for (const {
      key,
      details: { denial },
      requests,
    } of dueCounts) {
      for (const { key: _, ...account } of accounts.get(key) ?? []) {
        const denialOfAccount = { ...account, ...denial };
        this.counts.add(denialKey(denialOfAccount), denialOfAccount, requests);
      }
    }
    counts.settle(Number.NEGATIVE_INFINITY, dueCounts, new Set(dueCounts.map(({ key }) => key)));
  }

  private async record(minute: number): Promise<void> {
    const dueCounts = this.counts.due(minute).slice(0, RECORDS_AT_ONCE);
    if (dueCounts.length === 0) return;
    const rows = dueCounts.map(({ key, requests, details: { target, ...denial } }) => ({
      ...target,
      ...denial,
      key,
      requests,
    }));
    const recordedRows = await this.reader.unlimited.query<{ key: string }>(RECORD_DENIED_REQUESTS, [
      JSON.stringify(rows),
    ]);
    this.counts.settle(minute, dueCounts, new Set(recordedRows.map(({ key }) => key)));
  }
}

/** The minute's record is unique by this key in its organization and for its actor. */
function denialKey({ organizationId, actorId, action, rule, ability }: Denial & Account): string {
  return JSON.stringify([action, rule, ability, organizationId, actorId]);
}

function describeOperation({ method, routeOptions: { url = '' } }: StrataRequest): string {
  return `${method} ${url.replace(/:(\w+)/g, '{$1}')}/`;
}
