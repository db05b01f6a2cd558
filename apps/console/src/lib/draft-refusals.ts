import { type Draft, type Drafts, draftKey } from './draft.ts';

/** Why a draft was refused. It holds as long as the draft stays what it was. */
export interface DraftRefusal {
  readonly draft: Draft;
  readonly message: string;
}

/** By the keys of drafts. */
export type DraftRefusals = ReadonlyMap<string, DraftRefusal>;

/** Refusals with the drafts as they were refused. */
export function refusedDrafts(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftRefusals {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
