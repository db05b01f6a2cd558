import type { Encoding } from './accepted-encoding.ts';

/** Derives the strong ETag of an encoded body from the ETag of the uncompressed body, because the two bodies differ. */
export function etagOfEncoding(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)};${encoding}"`;
}

/** Returns the ETag of the uncompressed body. */
export function etagWithoutEncoding(etag: string): string {
  return etag.replace(/;(?:br|gzip)"$/, '"');
}

/** Returns whether one of the tags in an `If-None-Match` header is this one. Weak tags and tags of encodings match, too. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim())
    .some((part) => part === '*' || etagWithoutEncoding(part.replace(/^W\//, '')) === etag);
}
