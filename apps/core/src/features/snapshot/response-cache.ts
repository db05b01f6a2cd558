import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { forbiddenScopes, type Revision } from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import { etagOf, hasCurrentCopy, sendTagged } from '../../platform/http/conditional.ts';
import { shortJsonText } from '../../platform/http/json-text.ts';
import { Links } from '../../platform/http/links.ts';
import {
  type BodyWithOrigin,
  PLACEHOLDER_ORIGIN,
  replacePlaceholders,
  withOrigin,
} from '../../platform/http/origin-placeholders.ts';
import { type Call, tagContextOf } from '../../platform/http/request.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import { type Head, Heads, isSameHead } from '../../platform/ledger/heads.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import type { TextRecord, ViewedParameter } from './snapshot.ts';
import type { VersionedSnapshot } from './snapshots.ts';

const BYTES_MAX = cacheBytes(24);
const ANSWER_BYTES = 512;

/** The version of a result. */
export interface ResultVersion {
  readonly revision: Revision;
  /**
   * Set for current results that may be cached. Null for points in time, and for results that change without a write.
   */
  readonly present: CurrentVersion | null;
}

/** The result of a query before serialization. */
export interface QueryResult extends ResultVersion {
  /** Presents the body with the given links. */
  write(links: Links): Promise<WrittenBody>;
}

type AnySnapshot = VersionedSnapshot<ViewedParameter, TextRecord>;

/** Returns the result of a query that is presented from a snapshot. */
export function queryResultOf(snapshot: AnySnapshot, write: QueryResult['write']): QueryResult {
  return { ...resultVersionOf(snapshot), write };
}

/** Returns the version of a response that is presented from a snapshot. */
export function resultVersionOf({ head, contentVersion, values }: AnySnapshot): ResultVersion {
  // A dynamic value may depend on other rows, so only an equal head proves that the response is unchanged.
  const isLiteral = values.every(({ interpolated }) => !interpolated);
  const present = contentVersion === null ? null : { head, contentVersion: isLiteral ? contentVersion : null };
  return { revision: head.revision, present };
}

interface CurrentVersion {
  readonly head: Head;
  /** Equal numbers prove equal responses. Null if only an equal head does. */
  readonly contentVersion: number | null;
}

export interface WrittenBody {
  readonly body: unknown;
  /** The object that the body shows. Only set if the body does not contain its id (see `TagContext`). */
  readonly identity?: string | undefined;
  /**
   * Returns whether the body contains a secret in clear text. If so, only its entity tag is cached. Call it after
   * presenting the body.
   */
  readonly hasClearSecret: () => boolean;
}

interface CachedResponse extends CurrentVersion {
  readonly etag: string;
  /** Null if the body contains secrets, which are never cached. */
  readonly body: BodyWithOrigin | null;
}

/**
 * Caches responses about the present as bytes. Before it reuses one, it reads the head row; a response is still valid
 * if its content has not changed. The key contains the caller's forbidden scopes. It does not contain the origin of
 * links, which is inserted when the response is sent, so that forged `Host` headers do not fill the cache.
 */
@Injectable()
export class ResponseCache {
  private readonly cached = new LruCache<CachedResponse>(BYTES_MAX, bytesOf);

  constructor(private readonly heads: Heads) {}

  /** Responds to a GET request. `depth` is the number of levels that are serialized member by member. */
  async send(
    call: Call,
    find: (headNow: () => Promise<Head>) => Promise<QueryResult>,
    depth = 0,
  ): Promise<Buffer | Readable | undefined> {
    const { caller, url, links } = call;
    const headNow = () => this.heads.required(caller.organizationId);
    const key = `${caller.organizationId} ${forbiddenScopes(caller).join()} ${url}`;
    const known = this.cached.get(key);
    if (known && isEnough(call, known) && isSameHead(known.head, await headNow())) {
      return this.sendCached(call, key, known);
    }
    const found = await find(headNow);
    const { present, revision } = found;
    if (known && isSameContent(known, present) && isEnough(call, known)) {
      return this.sendCached(call, key, { ...known, ...present });
    }
    if (present === null) return this.sendUncached(call, found, depth);
    const { body, identity, hasClearSecret } = await found.write(new Links(PLACEHOLDER_ORIGIN));
    const marked = await shortJsonText(body, depth);
    // Long responses are not cached.
    if (marked === null) return this.sendUncached(call, found, depth);
    const written = replacePlaceholders(marked, links.origin);
    const etag = etagOf(written.bytes, { ...tagContextOf(call.reply.request, identity), origin: links.origin });
    this.cached.put(key, { ...present, etag, body: hasClearSecret() ? null : written });
    call.reply.header('x-revision', String(revision));
    return sendTagged(call, written.bytes, etag);
  }

  private async sendUncached(call: Call, found: QueryResult, depth: number): Promise<Buffer | Readable | undefined> {
    const { body, identity } = await found.write(call.links);
    return sendLongJson(call, found.revision, body, depth, identity);
  }

  private sendCached(call: Call, key: string, cached: CachedResponse): Buffer | undefined {
    const body = cached.body && withOrigin(cached.body, call.links.origin);
    const current = body === cached.body ? cached : { ...cached, body };
    if (current !== this.cached.get(key)) this.cached.put(key, current);
    call.reply.header('x-revision', String(current.head.revision));
    return sendTagged(call, body?.bytes ?? Buffer.alloc(0), current.etag);
  }
}

function isSameContent(known: CachedResponse, present: CurrentVersion | null): present is CurrentVersion {
  return known.contentVersion !== null && known.contentVersion === present?.contentVersion;
}

/**
 * Returns whether a cached response can be used. Without its text, it is enough for a client that already has a current
 * copy.
 */
function isEnough({ headers }: Call, { body, etag }: CachedResponse): boolean {
  return body !== null || hasCurrentCopy(headers, etag);
}

function bytesOf({ body }: CachedResponse): number {
  return ANSWER_BYTES + (body ? body.bytes.length + body.offsets.byteLength : 0);
}
