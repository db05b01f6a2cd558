import { etagMatches, PreconditionFailedError, versionOf } from '@strata/domain';
import { presentVersions } from '../ledger/present-versions.ts';
import { withoutDisclosure } from '../limits/request-limits.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { computeEtag } from './conditional-requests.ts';
import { type Call, createTagContext, type Precondition } from './request.ts';

interface ObjectMembers {
  readonly id?: string;
  readonly ledger_id?: string;
  readonly modified_at?: string;
}

/** An object in its present state. */
interface PresentObject {
  /** The body that GET would return. */
  readonly representation: unknown;
  /** The stored row. It may contain the version if the response does not. */
  readonly row: object;
  /** The same as for the tag of the response to GET: see `TagContext`. */
  readonly identity?: string | undefined;
}

/**
 * Checks `If-Match` against the representation that GET would return now, or against the version of the object, for
 * clients that have read the object within another response.
 */
export function ifMatch(call: Call, presentObject: (reader: SnapshotReader) => Promise<PresentObject>): Precondition {
  if (call.precondition) return call.precondition;
  return async (em, caller) => {
    const expected = call.headers['if-match'];
    if (expected === undefined) return;
    const { representation, row, identity } = await withoutDisclosure(() => presentObject(SnapshotReader.within(em)));
    if (
      etagMatches(expected, computeEtag(JSON.stringify(representation), createTagContext(call.reply.request, identity)))
    )
      return;
    const { id, ...members } = { ...row, ...(representation as object) } as ObjectMembers;
    const version = versionOf(members);
    if (version !== null && etagMatches(expected, `"${version}"`)) return;
    throw new PreconditionFailedError(id === undefined ? [] : await presentVersions(em, caller, [id]));
  };
}
