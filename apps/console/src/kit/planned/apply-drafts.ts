import { type AppliedReason, applyChangeset } from '../../data/changesets.ts';
import type { Drafts } from '../../lib/draft.ts';
import { type DraftErrors, draftErrorsByKey } from '../../lib/draft-errors.ts';
import { draftOperations, groupErrorsByDraft, isComplete } from '../../lib/draft-operations.ts';
import { WriteError } from '../../lib/request-error.ts';

export interface AppliedOutcome {
  readonly kind: 'applied';
  /** The applied drafts. */
  readonly sent: Drafts;
  readonly revision: number;
}

export type ApplyOutcome =
  | AppliedOutcome
  /** The plan is outdated, so nothing was stored. */
  | { readonly kind: 'outdated' }
  /** Nothing was stored. `message` contains the errors that belong to no single draft. */
  | { readonly kind: 'rejected'; readonly byKey: DraftErrors; readonly message: string | null };

/** Applies all complete drafts as one changeset if the plan is still current. Throws `RequestError` if there is no response. */
export async function applyDrafts(
  drafts: Drafts,
  planHash: string,
  appliedReason: AppliedReason,
): Promise<ApplyOutcome> {
  const plannedOperations = draftOperations(drafts);
  const operations = plannedOperations.map(({ operation }) => operation);
  const input = {
    message: appliedReason.message || null,
    externalRef: appliedReason.externalRef || null,
    planHash,
    operations,
  };
  try {
    const revision = await applyChangeset(input);
    return { kind: 'applied', sent: new Map([...drafts].filter(([, draft]) => isComplete(draft))), revision };
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    if (error.isOutdated) return { kind: 'outdated' };
    const { byKey, others } = groupErrorsByDraft(plannedOperations, error.fieldErrors);
    const message = others.length > 0 ? others.join(' ') : byKey.size === 0 ? error.message : null;
    return { kind: 'rejected', byKey: draftErrorsByKey(drafts, byKey), message };
  }
}
