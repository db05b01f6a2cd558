import { useSyncExternalStore } from 'react';
import { type Draft, type Drafts, draftKey } from './draft.ts';

/** Why a draft was refused. It holds as long as the draft stays what it was. */
export interface DraftRefusal {
  readonly draft: Draft;
  readonly message: string;
}

/** By the keys of drafts. */
export type DraftRefusals = ReadonlyMap<string, DraftRefusal>;

let refusals: DraftRefusals = new Map();
const listeners = new Set<() => void>();

/** What the last plan refused: the review tells it, cells show it. */
export function tellRefusals(next: DraftRefusals): void {
  refusals = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRefusals = (): DraftRefusals => useSyncExternalStore(subscribe, () => refusals);

/** Refusals with the drafts as they were refused. */
export function refusedDrafts(drafts: Drafts, byKey: ReadonlyMap<string, string>): DraftRefusals {
  return new Map(
    [...drafts.values()].flatMap((draft) => {
      const message = byKey.get(draftKey(draft));
      return message === undefined ? [] : [[draftKey(draft), { draft, message }]];
    }),
  );
}
