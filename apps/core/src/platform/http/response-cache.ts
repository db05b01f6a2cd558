import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Revision } from '@strata/domain';
import { type Head, isSameHead } from '../ledger/heads.ts';
import { computeEtag, sendTagged } from './conditional-requests.ts';
import { shortJsonText } from './json-text.ts';
import { Links } from './links.ts';
import { PLACEHOLDER_ORIGIN, replacePlaceholders } from './origin-placeholders.ts';
import { type Call, createTagContext } from './request.ts';
import { isSendable, ResponseStore } from './response-store.ts';
import { sealBody } from './sealed-body.ts';
import { sendLongJson } from './send-json.ts';

/** The version of a result. */
export interface ResultVersion {
  readonly revision: Revision;
  /**
   * Set for current results that may be cached. Null for points in time, and for results that change without a write.
   */
  readonly currentVersion: CurrentVersion | null;
}

/** The result of a query before serialization. */
export interface QueryResult extends ResultVersion {
  /** Presents the body with the given links. */
  write(links: Links): Promise<WrittenBody>;
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

/**
 * Answers reads whose responses are stored as bytes. Before one is sent again, the head row is read; a response whose
 * content has not changed is still valid.
 */
@Injectable()
export class ResponseCache {
  constructor(private readonly store: ResponseStore) {}

  /** Responds to a GET request. `depth` is the number of levels that are serialized member by member. */
  async send(
    call: Call,
    find: (headNow: () => Promise<Head>) => Promise<QueryResult>,
    depth = 0,
  ): Promise<Buffer | Readable | undefined> {
    const headNow = () => this.store.readHead(call);
    const storedVersion = this.store.get<CurrentVersion>(call);
    if (storedVersion && isSendable(call, storedVersion) && isSameHead(storedVersion.head, await headNow()))
      return this.store.send(call, storedVersion);
    const result = await find(headNow);
    const { currentVersion, revision } = result;
    if (storedVersion && isSameContent(storedVersion.source, currentVersion) && isSendable(call, storedVersion)) {
      const movedVersion = { ...storedVersion, head: currentVersion.head, source: currentVersion };
      this.store.put(call, movedVersion);
      return this.store.send(call, movedVersion);
    }
    if (currentVersion === null) return this.sendUncached(call, result, depth);
    const { body, identity, hasClearSecret } = await result.write(new Links(PLACEHOLDER_ORIGIN));
    const markedBody = await shortJsonText(body, depth);
    // Long responses are not cached.
    if (markedBody === null) return this.sendUncached(call, result, depth);
    const { origin } = call.links;
    const writtenBody = replacePlaceholders(markedBody, origin);
    const etag = computeEtag(writtenBody.bytes, { ...createTagContext(call.reply.request, identity), origin });
    const newVersion = { head: currentVersion.head, etag, source: currentVersion };
    this.store.put(
      call,
      hasClearSecret()
        ? { ...newVersion, body: null, sealed: sealBody(writtenBody) }
        : { ...newVersion, body: writtenBody },
    );
    call.reply.header('x-revision', String(revision));
    return sendTagged(call, writtenBody.bytes, etag);
  }

  private async sendUncached(call: Call, result: QueryResult, depth: number): Promise<Buffer | Readable | undefined> {
    const { body, identity } = await result.write(call.links);
    return sendLongJson(call, result.revision, body, depth, identity);
  }
}

function isSameContent(
  storedVersion: CurrentVersion,
  currentVersion: CurrentVersion | null,
): currentVersion is CurrentVersion {
  return storedVersion.contentVersion !== null && storedVersion.contentVersion === currentVersion?.contentVersion;
}
