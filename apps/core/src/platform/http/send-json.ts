import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { sendTagged } from './conditional-requests.ts';
import { jsonText } from './json-text.ts';
import { type Call, createTagContext, type ResponseContext } from './request.ts';

/**
 * Sends a single object or a short list as JSON, with its entity tag and its revision. Sends 304 if the caller's copy
 * is current.
 */
export function sendJson(call: ResponseContext, revision: number, body: unknown): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, JSON.stringify(body));
}

/** The depth at which a list is split: each member of `results` is written in one piece. */
export const LIST_ITEM_DEPTH = 2;

/**
 * Sends a body that may be long: a list or an export. The body is written member by member down to `depth`. `identity`
 * names the object if the body does not.
 */
export async function sendLongJson(
  call: ResponseContext,
  revision: number,
  body: unknown,
  depth = LIST_ITEM_DEPTH,
  identity?: string,
): Promise<Buffer | Readable | undefined> {
  const text = await jsonText(body, depth, createTagContext(call.reply.request, identity));
  call.reply.header('x-revision', String(revision));
  if (text.bytes) return sendTagged(call, text.bytes, text.etag);
  const tagged = sendTagged(call, '', text.etag);
  if (tagged === undefined) return undefined;
  // the client knows the length of the response, whether or not it is sent in parts
  call.reply.header('content-length', String(text.length));
  if (call.reply.request.method === 'HEAD') return Readable.from([]);
  return Readable.from(untilClientStalls(text.parts(), call.reply.raw), {
    objectMode: false,
    highWaterMark: AHEAD_BYTES,
  });
}

/** The number of bytes that are written before the client has received the previous ones. */
const AHEAD_BYTES = 65_536;
/** The time for which a client may leave its connection full. */
const TAKEN_MS_MAX = 10_000;

/**
 * Ends the connection of a client that requested a long response and does not read it, because the data is kept in
 * memory until it is sent.
 */
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

/** Sends 201 with the link of the new object. */
export function sendCreated(call: Call, revision: number, body: { readonly url: string }): string | undefined {
  call.reply.status(201).header('location', body.url);
  return sendJson(call, revision, body);
}

export function sendRemoved(call: Call, revision: number): void {
  call.reply.status(204).header('x-revision', String(revision));
}
