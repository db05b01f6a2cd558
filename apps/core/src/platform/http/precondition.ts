import { PreconditionFailed, versionOf } from '@strata/domain';
import { presentVersions } from '../ledger/present-versions.ts';
import { withoutDisclosure } from '../limits/request-limits.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { etagOf, matches } from './conditional.ts';
import { type Call, type Precondition, tagContextOf } from './request.ts';

interface ObjectMembers {
  readonly id?: string;
  readonly ledger_id?: string;
  readonly modified_at?: string;
}

/** An object as it is at this very moment. */
interface PresentObject {
  /** What GET would answer with. */
  readonly representation: unknown;
  /** What it is made of: it may tell the version where an answer does not. */
  readonly row: object;
  /** As in the tag of the answer to GET: see `TagContext`. */
  readonly identity?: string | undefined;
}

/**
 * The `If-Match` of a request, against the representation that GET would answer with at this very moment, or against the
 * version of the object, which programs hold that have read it within something else.
 */
export function ifMatch(call: Call, present: (reader: SnapshotReader) => Promise<PresentObject>): Precondition {
  if (call.precondition) return call.precondition;
  return async (em, caller) => {
    const wanted = call.headers['if-match'];
    if (wanted === undefined) return;
    const { representation, row, identity } = await withoutDisclosure(() => present(SnapshotReader.within(em)));
    if (matches(wanted, etagOf(JSON.stringify(representation), tagContextOf(call.reply.request, identity)))) return;
    const { id, ...members } = { ...row, ...(representation as object) } as ObjectMembers;
    const version = versionOf(members);
    if (version !== null && matches(wanted, `"${version}"`)) return;
    throw new PreconditionFailed(id === undefined ? [] : await presentVersions(em, caller, [id]));
  };
}
