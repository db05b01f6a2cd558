import { type Drafts, draftKey } from '../drafts/draft.ts';
import { isReady, operationsOf, refusalsOf } from '../drafts/draft-operations.ts';
import type { DraftRefusals } from '../drafts/refusals.ts';
import { ask } from '../graphql/ask.ts';
import { ApplyDrafts } from './review.graphql.ts';

export interface WhyApplied {
  readonly message: string;
  readonly externalRef: string;
}

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly keys: readonly string[]; readonly revision: number }
  /** Something has changed since the plan was made, so nothing was stored. */
  | { readonly kind: 'overtaken'; readonly message: string }
  /** Nothing was stored. `message` is what no single draft can be blamed for. */
  | { readonly kind: 'refused'; readonly byKey: DraftRefusals; readonly message: string | null };

/** Applies all drafts that can be as one changeset, if it still comes to what was planned. Throws `Refused` when nobody answers. */
export async function applyDrafts(drafts: Drafts, why: WhyApplied): Promise<ApplyOutcome> {
  const planned = operationsOf(drafts);
  const operations = planned.map(({ operation }) => operation);
  const input = { message: why.message || null, externalRef: why.externalRef || null, operations };
  const { applyChangeset: outcome } = await ask(ApplyDrafts, { input });
  if (outcome.__typename === 'AppliedChangesetSaved') {
    const keys = [...drafts].flatMap(([key, draft]) => (isReady(draft) ? [key] : []));
    return { kind: 'applied', keys, revision: outcome.appliedChangeset.revision };
  }
  if (outcome.__typename === 'PreconditionFailed') return { kind: 'overtaken', message: outcome.message };
  const { byKey, others } = refusalsOf(planned, 'fields' in outcome ? outcome.fields : []);
  const message = others.length > 0 ? others.join(' ') : byKey.size === 0 ? outcome.message : null;
  return { kind: 'refused', byKey: refusalsBy(drafts, byKey), message };
}

/** With the drafts as they were refused. */
export function refusalsBy(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftRefusals {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
