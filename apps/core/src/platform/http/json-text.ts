import { EventLoopYielder } from '../event-loop-yielder.ts';
import { ANSWER_LENGTH_MAX, answerTooLong } from '../limits/answer-limits.ts';
import { EntityTag, etagOf } from './conditional.ts';
import type { TagContext } from './request.ts';

/** Up to here text is written in one go: less than a millisecond. */
const SHORT = 65_536;
/** Up to here a text is kept as a whole. */
const BUFFERED_BYTES_MAX = 1_048_576;

/** The members of a list that are made when they are written, and again when they are written again. */
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

/** A text in UTF-8 whose length and tag are known. */
export interface JsonText {
  readonly length: number;
  /** Of the whole text, as a strong entity tag. */
  readonly etag: string;
  /** Null when it is long: then it is written part by part, each when the one before has been taken. */
  readonly bytes: Buffer | null;
  parts(): AsyncGenerator<Buffer, void, undefined>;
}

/**
 * The text that JSON.stringify writes, without holding up the process and without holding all of it: what is above `depth` is
 * written member by member, what is below in one go. A long text is written twice, once to know its length and its tag, which
 * come before it, and once to be sent. Refuses what is longer than an answer may be.
 */
export async function jsonText(value: unknown, depth: number, context: TagContext): Promise<JsonText> {
  const kept: string[] = [];
  let tag: EntityTag | null = null;
  let length = 0;
  for await (const part of jsonParts(value, depth)) {
    length += Buffer.byteLength(part);
    if (length > ANSWER_LENGTH_MAX) throw answerTooLong();
    if (tag) tag.update(part);
    else kept.push(part);
    if (tag || length <= BUFFERED_BYTES_MAX) continue;
    tag = new EntityTag(context);
    for (const before of kept.splice(0)) tag.update(before);
  }
  const parts = () => bytesOf(jsonParts(value, depth));
  if (tag) return { length, etag: tag.text(), bytes: null, parts };
  const bytes = Buffer.from(kept.join(''));
  return { length, etag: etagOf(bytes, context), bytes, parts };
}

/** The text as a whole; null when it is long, as soon as that is known. */
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

/** Some 64 thousand characters each, or one member that is longer. */
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

async function* bytesOf(parts: AsyncIterable<string>): AsyncGenerator<Buffer, void, undefined> {
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
