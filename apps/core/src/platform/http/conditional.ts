import { createHmac, type Hmac } from 'node:crypto';
import { tagOfText } from '@strata/domain';
import { type ResponseContext, type TagContext, tagContextOf } from './request.ts';

/** Stands for the origin of a link while a tag is made. JSON escapes it, so that no text holds it. */
const ANY_ORIGIN = '"\0/api/v1/';

/**
 * Makes a strong entity tag of a text that comes in parts. It is keyed, because a tag without a key would be a digest that guesses
 * of a secret can be tried against. Links count without their origin, so that the same state has the
 * same tag under every name of the service. No part ends inside of a link.
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

/** A strong entity tag of a text: the same state, the same tag. */
export function etagOf(text: string | Buffer, context: TagContext): string {
  return new EntityTag(context).update(text).text();
}

/** Sends the text with its tag, or 304 when it is read and the caller's copy is current. */
export function sendTagged<Text extends string | Buffer>(
  { headers, reply }: ResponseContext,
  text: Text,
  etag = etagOf(text, tagContextOf(reply.request)),
): Text | undefined {
  reply.header('etag', etag);
  if (isRead(reply) && isCurrent(headers, etag)) {
    reply.status(304);
    return undefined;
  }
  reply.header('content-type', 'application/json');
  return text;
}

function isRead({ request }: ResponseContext['reply']): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Whether the caller has what the tag stands for. */
export function isCurrent(headers: ResponseContext['headers'], etag: string): boolean {
  return matches(headers['if-none-match'], etag);
}

/** Whether one of the tags in a header is this one. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim())
    .some((part) => part === '*' || tagOfText(part.replace(/^W\//, '')) === etag);
}
