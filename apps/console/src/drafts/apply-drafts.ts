import { ask } from '../graphql/ask.ts';
import type { Draft, Drafts } from './draft.ts';
import { baseRevisionOf, isReady, operationsOf, refusalsOf } from './draft-operations.ts';
import { ApplyDrafts } from './drafts.graphql.ts';

/** Why a draft was refused. It holds as long as the draft stays what it was. */
export interface DraftRefusal {
  readonly draft: Draft;
  readonly message: string;
}

export type AppliedDrafts =
  | { readonly kind: 'applied'; readonly keys: readonly string[]; readonly revision: number }
  /** Nothing was stored. `message` is what no single draft can be blamed for. */
  | { readonly kind: 'refused'; readonly byKey: ReadonlyMap<string, DraftRefusal>; readonly message: string | null };

/** Applies all drafts that can be as one changeset, unless somebody has changed what they write. Throws `Refused` when nobody answers. */
export async function applyDrafts(drafts: Drafts, message: string): Promise<AppliedDrafts> {
  const planned = operationsOf(drafts);
  const operations = planned.map(({ operation }) => operation);
  const input = { message: message || null, baseRevision: baseRevisionOf(drafts), operations };
  const { applyChangeset: outcome } = await ask(ApplyDrafts, { input });
  if (outcome.__typename === 'AppliedChangesetSaved') {
    const keys = [...drafts].flatMap(([key, draft]) => (isReady(draft) ? [key] : []));
    return { kind: 'applied', keys, revision: outcome.appliedChangeset.revision };
  }
  const { byKey, others } = refusalsOf(planned, 'fields' in outcome ? outcome.fields : []);
  const refusals = [...byKey].flatMap(([key, words]): [string, DraftRefusal][] => {
    const draft = drafts.get(key);
    return draft ? [[key, { draft, message: words }]] : [];
  });
  const rest = others.length > 0 ? others.join(' ') : byKey.size === 0 ? outcome.message : null;
  return { kind: 'refused', byKey: new Map(refusals), message: rest };
}
