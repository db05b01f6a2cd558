import { randomBytes } from 'node:crypto';

/**
 * Stands for the origin of links in a body that is written before it is known who asks. Nobody can know it, so nobody can
 * have written it into a text.
 */
const MARK = `http://${randomBytes(16).toString('hex')}.invalid`;
const MARK_BYTES = Buffer.from(MARK);

/** The origin to write links with, for a body that is kept. */
export const MARKED_ORIGIN = MARK;

/** A body, and where in it an origin begins. */
export interface MarkedBody {
  readonly origin: string;
  readonly bytes: Buffer;
  readonly marks: Uint32Array;
}

/** Writes an origin where `MARKED_ORIGIN` stands. */
export function withMarksReplaced(marked: Buffer, origin: string): MarkedBody {
  const marks: number[] = [];
  for (let at = marked.indexOf(MARK_BYTES); at >= 0; at = marked.indexOf(MARK_BYTES, at + MARK_BYTES.length)) {
    marks.push(at);
  }
  return replaced({ origin: MARK, bytes: marked, marks: Uint32Array.from(marks) }, origin);
}

/** The same body with the links of another origin. */
export function withOrigin(body: MarkedBody, origin: string): MarkedBody {
  return body.origin === origin ? body : replaced(body, origin);
}

function replaced({ origin: before, bytes, marks }: MarkedBody, origin: string): MarkedBody {
  const [old, written] = [Buffer.byteLength(before), Buffer.from(origin)];
  const copy = Buffer.allocUnsafe(bytes.length + marks.length * (written.length - old));
  const moved = new Uint32Array(marks.length);
  let [from, to] = [0, 0];
  for (const [index, at] of marks.entries()) {
    to += bytes.copy(copy, to, from, at);
    moved[index] = to;
    to += written.copy(copy, to);
    from = at + old;
  }
  bytes.copy(copy, to, from);
  return { origin, bytes: copy, marks: moved };
}
