import { type Draft, type Drafts, draftKey } from './draft.ts';

/** The rejection of a draft. It is valid until the draft changes. */
export interface DraftRefusal {
  readonly draft: Draft;
  readonly message: string;
}

/** The rejections by draft key. */
export type DraftRefusals = ReadonlyMap<string, DraftRefusal>;

/** Returns the rejections by draft key, together with the rejected drafts. */
export function rejectedDrafts(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftRefusals {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
