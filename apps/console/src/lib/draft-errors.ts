import { type Draft, type Drafts, draftKey } from './draft.ts';

/** The rejection of a draft. It is valid until the draft changes. */
export interface DraftError {
  readonly draft: Draft;
  readonly message: string;
}

/** The rejections by draft key. */
export type DraftErrors = ReadonlyMap<string, DraftError>;

/** Returns the rejections by draft key, together with the rejected drafts. */
export function draftErrorsByKey(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftErrors {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
