import { PreconditionFailed } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { presentVersions } from '../ledger/present-versions.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { shownToNobody } from '../shares/request-share.ts';
import { etagOf, matches } from './conditional.ts';
import { type Call, linkOriginOf } from './request.ts';

/** Asked inside a write, once the object is known to be there: throws 412 when the caller's copy is stale. */
export type Precondition = (em: EntityManager) => Promise<void>;

/**
 * The `If-Match` of a request, against the representation that GET would answer with at this very moment, or against the
 * `ledger_id` of the object, which programs hold that have read it within something else.
 */
export function ifMatch(call: Call, representation: (reader: SnapshotReader) => Promise<unknown>): Precondition {
  if (call.precondition) return call.precondition;
  return async (em) => {
    const wanted = call.headers['if-match'];
    if (wanted === undefined) return;
    const shown = await shownToNobody(() => representation(SnapshotReader.within(em)));
    if (matches(wanted, etagOf(JSON.stringify(shown), linkOriginOf(call.reply.request)))) return;
    const { id, ledger_id: ledgerId } = shown as { readonly id?: string; readonly ledger_id?: string };
    if (ledgerId !== undefined && matches(wanted, `"${ledgerId}"`)) return;
    throw new PreconditionFailed(id === undefined ? [] : await presentVersions(em, call.caller, [id]));
  };
}
