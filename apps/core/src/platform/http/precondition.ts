import type { EntityManager } from 'typeorm';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { assertMatch, etagOf } from './conditional.ts';
import { type Call, linkOriginOf } from './request.ts';

/** Asked inside a write, once the object is known to be there: throws 412 when the caller's copy is stale. */
export type Precondition = (em: EntityManager) => Promise<void>;

/** The `If-Match` of a request, against the representation that GET would answer with at this very moment. */
export function ifMatch(call: Call, representation: (reader: SnapshotReader) => Promise<unknown>): Precondition {
  if (call.precondition) return call.precondition;
  return async (em) => {
    const wanted = call.headers['if-match'];
    if (wanted === undefined) return;
    const shown = JSON.stringify(await representation(SnapshotReader.within(em)));
    assertMatch(wanted, etagOf(shown, linkOriginOf(call.reply.request)));
  };
}
