import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { forbiddenScopes, type Revision } from '@strata/domain';
import { longAnswer } from '../../platform/http/answer.ts';
import { etagOf, isCurrent, sendTagged } from '../../platform/http/conditional.ts';
import { shortJsonText } from '../../platform/http/json-text.ts';
import { Links } from '../../platform/http/links.ts';
import { MARKED_ORIGIN, type MarkedBody, withMarksReplaced, withOrigin } from '../../platform/http/origin-marks.ts';
import { type Call, tagContextOf } from '../../platform/http/request.ts';
import { keptBytes } from '../../platform/kept-bytes.ts';
import { type Head, Heads, isSameHead } from '../../platform/ledger/heads.ts';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import type { TextRecord, ViewedParameter } from './snapshot.ts';
import type { VersionedSnapshot } from './snapshots.ts';

const BYTES_MAX = keptBytes(24);
const ANSWER_BYTES = 512;

/** What something was found in. */
export interface ResultVersion {
  readonly revision: Revision;
  /** Of the present, when the answer may be kept; null for points in time and for what changes without the ledger. */
  readonly present: CurrentVersion | null;
}

/** What a question found, before it is written. */
export interface QueryResult extends ResultVersion {
  /** The body with links of this kind. */
  write(links: Links): Promise<WrittenBody>;
}

type AnySnapshot = VersionedSnapshot<ViewedParameter, TextRecord>;

/** What was found in a snapshot. */
export function queryResultOf(snapshot: AnySnapshot, write: QueryResult['write']): QueryResult {
  return { ...resultVersionOf(snapshot), write };
}

/** What a snapshot says of an answer that is written from it. */
export function resultVersionOf({ head, contentVersion, values }: AnySnapshot): ResultVersion {
  // a dynamic value may depend on anything, so only an equal head says that it is the same
  const isLiteral = values.every(({ interpolated }) => !interpolated);
  const present = contentVersion === null ? null : { head, contentVersion: isLiteral ? contentVersion : null };
  return { revision: head.revision, present };
}

interface CurrentVersion {
  readonly head: Head;
  /** Equal numbers, equal answers; null when nothing but an equal head says so. */
  readonly contentVersion: number | null;
}

export interface WrittenBody {
  readonly body: unknown;
  /** The object that the body shows, if the body does not say it: see `TagContext`. */
  readonly identity?: string | undefined;
  /** Whether it shows a secret in clear: then only its entity tag is kept. To be asked once the body has been written. */
  readonly hasClearSecret: () => boolean;
}

/** What was answered about the present. */
interface CachedResponse extends CurrentVersion {
  readonly etag: string;
  /** Null when it shows secrets. */
  readonly body: MarkedBody | null;
}

/**
 * Answers to questions about the present, kept as bytes. Before one is sent again the head row is looked at; an answer whose
 * content has not changed since is as good as new. What is closed to who asks is part of the question, the origin of
 * links is not: it is written when the answer is sent, so that a made-up `Host` takes no room.
 */
@Injectable()
export class ResponseCache {
  private readonly cached = new RecentlyUsed<CachedResponse>(BYTES_MAX, bytesOf);

  constructor(private readonly heads: Heads) {}

  /** Answers a GET. `depth` says how far down a body is written member by member. */
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
    const { body, identity, hasClearSecret } = await found.write(new Links(MARKED_ORIGIN));
    const marked = await shortJsonText(body, depth);
    // what is long is not kept
    if (marked === null) return this.sendUncached(call, found, depth);
    const written = withMarksReplaced(marked, links.origin);
    const etag = etagOf(written.bytes, { ...tagContextOf(call.reply.request, identity), origin: links.origin });
    this.cached.put(key, { ...present, etag, body: hasClearSecret() ? null : written });
    call.reply.header('x-revision', String(revision));
    return sendTagged(call, written.bytes, etag);
  }

  private async sendUncached(call: Call, found: QueryResult, depth: number): Promise<Buffer | Readable | undefined> {
    const { body, identity } = await found.write(call.links);
    return longAnswer(call, found.revision, body, depth, identity);
  }

  private sendCached(call: Call, key: string, answer: CachedResponse): Buffer | undefined {
    const body = answer.body && withOrigin(answer.body, call.links.origin);
    const current = body === answer.body ? answer : { ...answer, body };
    if (current !== this.cached.get(key)) this.cached.put(key, current);
    call.reply.header('x-revision', String(current.head.revision));
    return sendTagged(call, body?.bytes ?? Buffer.alloc(0), current.etag);
  }
}

function isSameContent(known: CachedResponse, present: CurrentVersion | null): present is CurrentVersion {
  return known.contentVersion !== null && known.contentVersion === present?.contentVersion;
}

/** What was kept without its text is enough for who has that already. */
function isEnough({ headers }: Call, { body, etag }: CachedResponse): boolean {
  return body !== null || isCurrent(headers, etag);
}

function bytesOf({ body }: CachedResponse): number {
  return ANSWER_BYTES + (body ? body.bytes.length + body.marks.byteLength : 0);
}
