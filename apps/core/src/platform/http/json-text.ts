import { EventLoopYielder } from '../event-loop-yielder.ts';
import { ANSWER_LENGTH_MAX, responseTooLongError } from '../limits/response-limits.ts';
import { computeEtag, EntityTag } from './conditional-requests.ts';
import type { TagContext } from './request.ts';

/** Text up to this length is written in one piece, which takes less than a millisecond. */
const SHORT = 65_536;
/** A text up to this size is kept in memory as a whole. */
const BUFFERED_BYTES_MAX = 1_048_576;

/** A list that creates its members again each time it is written. */
export class LazyList<Row, Member> implements Iterable<Member> {
  constructor(
    private readonly rows: readonly Row[],
    private readonly make: (row: Row) => Member,
  ) {}

  *[Symbol.iterator](): Iterator<Member> {
    for (const row of this.rows) yield this.make(row);
  }

  toJSON(): readonly Member[] {
    return this.rows.map(this.make);
  }
}

/** A UTF-8 text with its length and its entity tag. */
export interface JsonText {
  readonly length: number;
  /** The strong entity tag of the whole text. */
  readonly etag: string;
  /**
   * Null for a long text, which is written in parts. Each part is written when the client has received the previous
   * one.
   */
  readonly bytes: Buffer | null;
  parts(): AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Writes the text of JSON.stringify without blocking the process and without keeping the whole text in memory.
 * Everything above `depth` is written member by member, everything below in one piece. A long text is written twice:
 * first to compute the length and the tag, which are sent before it, then to send it. Throws if the text exceeds the
 * limit of a response.
 */
export async function jsonText(value: unknown, depth: number, context: TagContext): Promise<JsonText> {
  const keptParts: string[] = [];
  let tag: EntityTag | null = null;
  let length = 0;
  for await (const part of jsonParts(value, depth)) {
    length += Buffer.byteLength(part);
    if (length > ANSWER_LENGTH_MAX) throw responseTooLongError();
    if (tag) tag.update(part);
    else keptParts.push(part);
    if (tag || length <= BUFFERED_BYTES_MAX) continue;
    tag = new EntityTag(context);
    for (const before of keptParts.splice(0)) tag.update(before);
  }
  const parts = () => encodeParts(jsonParts(value, depth));
  if (tag) return { length, etag: tag.text(), bytes: null, parts };
  const bytes = Buffer.from(keptParts.join(''));
  return { length, etag: computeEtag(bytes, context), bytes, parts };
}

/** Returns the whole text, or null as soon as it turns out to be long. */
export async function shortJsonText(value: unknown, depth: number): Promise<Buffer | null> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of jsonParts(value, depth)) {
    length += Buffer.byteLength(part);
    if (length > BUFFERED_BYTES_MAX) return null;
    parts.push(part);
  }
  return Buffer.from(parts.join(''));
}

/** Yields parts of some 64,000 characters. A longer member is one part. */
async function* jsonParts(value: unknown, depth: number): AsyncGenerator<string, void, undefined> {
  const yielder = new EventLoopYielder();
  let part = '';
  for (const piece of pieces(value, depth)) {
    part += piece;
    if (part.length >= SHORT) {
      yield part;
      part = '';
    }
    if (yielder.isDue) await yielder.yield();
  }
  yield part;
}

async function* encodeParts(parts: AsyncIterable<string>): AsyncGenerator<Buffer, void, undefined> {
  for await (const part of parts) yield Buffer.from(part);
}

function* pieces(value: unknown, depth: number): Generator<string, void, undefined> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value) || value instanceof LazyList;
  let before = isList ? '[' : '{';
  for (const [name, member] of isList ? unnamed(value as Iterable<unknown>) : Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* pieces(member, depth - 1);
    before = ',';
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

function* unnamed(members: Iterable<unknown>): Generator<readonly ['', unknown], void, undefined> {
  for (const member of members) yield ['', member];
}
