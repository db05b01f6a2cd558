import { sendTagged } from './conditional.ts';
import type { Call } from './request.ts';

/** A single object or a list: JSON with its entity tag and the revision it was read at; 304 when the caller has it. */
export function answer(call: Call, revision: number, body: unknown): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, JSON.stringify(body));
}

/** 201 with the link of what was made. */
export function created(call: Call, revision: number, body: { readonly url: string }): string | undefined {
  call.reply.status(201).header('location', body.url);
  return answer({ ...call, headers: {} }, revision, body);
}

export function removed(call: Call, revision: number): void {
  call.reply.status(204).header('x-revision', String(revision));
}
