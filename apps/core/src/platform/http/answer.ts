import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { sendTagged } from './conditional.ts';
import { jsonText } from './json-text.ts';
import { type Call, type ResponseContext, tagContextOf } from './request.ts';

/** A single object or a list: JSON with its entity tag and the revision it was read at; 304 when the caller has it. */
export function answer(call: ResponseContext, revision: number, body: unknown): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, JSON.stringify(body));
}

/** The members of a list's `results`, each written in one go. */
export const LIST_ITEM_DEPTH = 2;

/**
 * The same for what may be long: a list, or everything there is. `depth` says how far down it is written member by member,
 * `identity` which object it is, where the body does not say that.
 */
export async function longAnswer(
  call: ResponseContext,
  revision: number,
  body: unknown,
  depth = LIST_ITEM_DEPTH,
  identity?: string,
): Promise<Buffer | Readable | undefined> {
  const text = await jsonText(body, depth, tagContextOf(call.reply.request, identity));
  call.reply.header('x-revision', String(revision));
  if (text.bytes) return sendTagged(call, text.bytes, text.etag);
  const tagged = sendTagged(call, '', text.etag);
  if (tagged === undefined) return undefined;
  // whoever reads it knows how much there is to come, in parts as in one piece
  call.reply.header('content-length', String(text.length));
  if (call.reply.request.method === 'HEAD') return Readable.from([]);
  return Readable.from(untilClientStalls(text.parts(), call.reply.raw), {
    objectMode: false,
    highWaterMark: AHEAD_BYTES,
  });
}

/** How much is written before the client has taken what came before. */
const AHEAD_BYTES = 65_536;
/** How long a client may leave its connection full. */
const TAKEN_MS_MAX = 10_000;

/** Ends the connection of a client that asked for much and does not read it: what it is made of is held until it is sent. */
async function* untilClientStalls(
  parts: AsyncIterable<Buffer>,
  raw: ServerResponse,
): AsyncGenerator<Buffer, void, undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const part of parts) {
      timer = setTimeout(() => raw.destroy(), TAKEN_MS_MAX);
      yield part;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** 201 with the link of what was made. */
export function created(call: Call, revision: number, body: { readonly url: string }): string | undefined {
  call.reply.status(201).header('location', body.url);
  return answer(call, revision, body);
}

export function removed(call: Call, revision: number): void {
  call.reply.status(204).header('x-revision', String(revision));
}
