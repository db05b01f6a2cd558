import { createHash } from 'node:crypto';
import { tagOfText } from '@strata/domain';
import { type Answering, linkOriginOf } from './request.ts';

/** Stands for the origin of a link while a tag is made. JSON escapes it, so that no text holds it. */
const ANY_ORIGIN = '"\0/api/v1/';

/**
 * Makes a strong entity tag of a text that comes in parts. Links count without their origin: by whatever name the service was
 * asked, the same state has the same tag. No part ends inside of a link.
 */
export class EntityTag {
  private readonly hash = createHash('sha1');
  private readonly link: string;

  constructor(origin: string) {
    this.link = `"${origin}/api/v1/`;
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

/** A strong entity tag of a text with links of this origin: the same state, the same tag. */
export function etagOf(text: string | Buffer, origin: string): string {
  return new EntityTag(origin).update(text).text();
}

/** Sends the text with its tag, or 304 when it is read and the caller's copy is current. */
export function sendTagged<Text extends string | Buffer>(
  { headers, reply }: Answering,
  text: Text,
  etag = etagOf(text, linkOriginOf(reply.request)),
): Text | undefined {
  reply.header('etag', etag);
  if (isRead(reply) && isCurrent(headers, etag)) {
    reply.status(304);
    return undefined;
  }
  reply.header('content-type', 'application/json');
  return text;
}

function isRead({ request }: Answering['reply']): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Whether the caller has what the tag stands for. */
export function isCurrent(headers: Answering['headers'], etag: string): boolean {
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
