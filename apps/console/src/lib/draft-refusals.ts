import { type Draft, type Drafts, draftKey } from './draft.ts';

/** The reason why a draft was rejected. It stays until the draft changes. */
export interface DraftRefusal {
  readonly draft: Draft;
  readonly message: string;
}

/** Rejections by the keys of drafts. */
export type DraftRefusals = ReadonlyMap<string, DraftRefusal>;

/** Returns the rejections with the rejected drafts. */
export function rejectedDrafts(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftRefusals {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
