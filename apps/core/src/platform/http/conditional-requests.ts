import { createHmac, type Hmac } from 'node:crypto';
import { etagMatches } from '@strata/domain';
import { createTagContext, type ResponseContext, type TagContext } from './request.ts';

/** The `Cache-Control` of responses without secrets: a client may store one, and validates it before each use. */
export const CACHE_CONTROL = 'private, no-cache';
/** The `Cache-Control` of responses with a secret in clear, and of a 304 in place of one. */
export const NO_STORE = 'private, no-store';

/** Replaces the origin of links in the input of a tag. JSON escapes the null character, so no text can contain it. */
const ANY_ORIGIN = '"\0/api/v1/';

/**
 * Computes a strong entity tag of a text that arrives in parts. The tag is keyed: callers could test guesses of a
 * secret against a plain digest. The origin of links is left out, so the same state has the same tag under every host
 * name of the service. No part ends inside a link.
 */
export class EntityTag {
  private readonly hash: Hmac;
  private readonly link: string;

  constructor({ key, origin, identity }: TagContext) {
    this.hash = createHmac('sha256', key);
    this.link = `"${origin}/api/v1/`;
    if (identity !== undefined) this.hash.update(`${identity}\n`);
  }

  update(part: string | Buffer): this {
    if (typeof part === 'string') {
      this.hash.update(part.replaceAll(this.link, ANY_ORIGIN));
      return this;
    }
    let from = 0;
    for (let at = part.indexOf(this.link); at >= 0; at = part.indexOf(this.link, from)) {
      this.hash.update(part.subarray(from, at)).update(ANY_ORIGIN);
      from = at + Buffer.byteLength(this.link);
    }
    this.hash.update(part.subarray(from));
    return this;
  }

  text(): string {
    return `"${this.hash.digest('base64url')}"`;
  }
}

/** Computes a strong entity tag of a text. The same state has the same tag. */
export function computeEtag(text: string | Buffer, context: TagContext): string {
  return new EntityTag(context).update(text).text();
}

/** Sends the text with its tag, or 304 if the caller's copy is current: by default, if a read has the same tag. */
export function sendTagged<Text extends string | Buffer>(
  { headers, reply }: ResponseContext,
  text: Text,
  etag = computeEtag(text, createTagContext(reply.request)),
  isCurrent = isRead(reply) && hasCurrentCopy(headers, etag),
): Text | undefined {
  reply.header('etag', etag);
  if (isCurrent) {
    reply.status(304);
    return undefined;
  }
  reply.header('content-type', 'application/json');
  return text;
}

function isRead({ request }: ResponseContext['reply']): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Returns whether the caller's copy has this tag. */
export function hasCurrentCopy(headers: ResponseContext['headers'], etag: string): boolean {
  return etagMatches(headers['if-none-match'], etag);
}
