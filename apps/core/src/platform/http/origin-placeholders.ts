import { randomBytes } from 'node:crypto';

/**
 * The placeholder for the origin of links in a body that several callers share. It is random, so no user's text can
 * contain it.
 */
const MARK = `http://${randomBytes(16).toString('hex')}.invalid`;
const MARK_BYTES = Buffer.from(MARK);

/** Use this as the origin of links in a body that will be cached. */
export const PLACEHOLDER_ORIGIN = MARK;

/** A body and the offsets of the origins in it. */
export interface BodyWithOrigin {
  readonly origin: string;
  readonly bytes: Buffer;
  readonly offsets: Uint32Array;
}

/** Returns a body that contains no links. */
export function withoutLinks(bytes: Buffer): BodyWithOrigin {
  return { origin: MARK, bytes, offsets: new Uint32Array() };
}

/** Replaces each placeholder by an origin. */
export function replacePlaceholders(markedBody: Buffer, origin: string): BodyWithOrigin {
  const marks: number[] = [];
  for (let at = markedBody.indexOf(MARK_BYTES); at >= 0; at = markedBody.indexOf(MARK_BYTES, at + MARK_BYTES.length)) {
    marks.push(at);
  }
  return replaced({ origin: MARK, bytes: markedBody, offsets: Uint32Array.from(marks) }, origin);
}

/** Returns the same body with links to another origin. */
export function withOrigin(body: BodyWithOrigin, origin: string): BodyWithOrigin {
  return body.origin === origin || body.offsets.length === 0 ? body : replaced(body, origin);
}

function replaced({ origin: before, bytes, offsets }: BodyWithOrigin, origin: string): BodyWithOrigin {
  const [placeholderLength, originBytes] = [Buffer.byteLength(before), Buffer.from(origin)];
  const copy = Buffer.allocUnsafe(bytes.length + offsets.length * (originBytes.length - placeholderLength));
  const movedOffsets = new Uint32Array(offsets.length);
  let [from, to] = [0, 0];
  for (const [index, at] of offsets.entries()) {
    to += bytes.copy(copy, to, from, at);
    movedOffsets[index] = to;
    to += originBytes.copy(copy, to);
    from = at + placeholderLength;
  }
  bytes.copy(copy, to, from);
  return { origin, bytes: copy, offsets: movedOffsets };
}
