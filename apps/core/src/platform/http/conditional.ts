import { hash } from 'node:crypto';
import { Failure } from '@strata/domain';
import type { Answering } from './request.ts';

/** A strong entity tag: the same text, the same tag. */
export function etagOf(text: string | Buffer): string {
  return `"${hash('sha1', text, 'base64url')}"`;
}

/** Sends the text with its tag, or 304 when it is read and the caller's copy is current. */
export function sendTagged<Text extends string | Buffer>(
  { headers, reply }: Answering,
  text: Text,
  etag = etagOf(text),
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

/** 412 when the caller's idea of the object is not the current one. */
export function assertMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || matches(ifMatch, etag)) return;
  throw new Failure(
    'precondition_failed',
    'precondition_failed',
    'The object has changed since you read it. Read it again, and repeat the change on what you find.',
  );
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}
