import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { EntityTag, sendTagged } from './conditional.ts';
import { jsonParts } from './json-text.ts';
import { type Answering, type Call, linkOriginOf } from './request.ts';

/** A single object or a list: JSON with its entity tag and the revision it was read at; 304 when the caller has it. */
export function answer(call: Answering, revision: number, body: unknown): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, JSON.stringify(body));
}

/** The members of a list's `results`, each written in one go. */
export const MEMBERS_OF_A_LIST = 2;

/**
 * The same for what may be long: a list, or everything there is. `depth` says how far down it is written member by member.
 */
export async function longAnswer(
  call: Answering,
  revision: number,
  body: unknown,
  depth = MEMBERS_OF_A_LIST,
): Promise<Buffer | Readable | undefined> {
  return sendParts(call, revision, await jsonParts(body, depth));
}

/** A body that is written already, in parts. */
export async function sendParts(
  call: Answering,
  revision: number,
  parts: readonly Buffer[],
): Promise<Buffer | Readable | undefined> {
  call.reply.header('x-revision', String(revision));
  if (parts.length <= PARTS_AT_ONCE) return sendTagged(call, Buffer.concat(parts));
  const tag = new EntityTag(linkOriginOf(call.reply.request));
  for (const [at, part] of parts.entries()) {
    tag.update(part);
    if ((at + 1) % PARTS_AT_ONCE === 0) await letOthersRun();
  }
  const tagged = sendTagged(call, '', tag.text());
  if (tagged === undefined) return undefined;
  // whoever reads it knows how much there is to come, in parts as in one piece
  call.reply.header('content-length', String(parts.reduce((length, part) => length + part.length, 0)));
  return Readable.from(parts, { objectMode: false });
}

/** Of some 64 kB each, or of one member that is longer. */
const PARTS_AT_ONCE = 16;

/** 201 with the link of what was made. */
export function created(call: Call, revision: number, body: { readonly url: string }): string | undefined {
  call.reply.status(201).header('location', body.url);
  return answer(call, revision, body);
}

export function removed(call: Call, revision: number): void {
  call.reply.status(204).header('x-revision', String(revision));
}
