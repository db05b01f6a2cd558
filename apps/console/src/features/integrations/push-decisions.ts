import type { ListedPushKey, PushDecision } from '../../data/integrations.ts';

/** A decision about a key, with the version that the user has seen. */
export interface DecidedKey {
  readonly action: PushDecision;
  readonly version: string | null;
}

/** The decisions that the user has made and not sent yet, by key. */
export type Decisions = ReadonlyMap<string, DecidedKey>;

/** Returns the decisions with one more, or without it if `action` is null. */
export function withDecision(
  decisions: Decisions,
  { key, version }: Pick<ListedPushKey, 'key' | 'version'>,
  action: PushDecision | null,
): Decisions {
  const next = new Map(decisions);
  if (action === null) next.delete(key);
  else next.set(key, { action, version });
  return next;
}

/** Returns the decisions without those about keys that have another version now. `rows` may lack keys of other pages. */
export function withoutOutdated(
  decisions: Decisions,
  rows: readonly Pick<ListedPushKey, 'key' | 'version'>[],
): Decisions {
  const versions = new Map(rows.map(({ key, version }) => [key, version]));
  const current = [...decisions].filter(([key, { version }]) => !versions.has(key) || versions.get(key) === version);
  return current.length === decisions.size ? decisions : new Map(current);
}

/** Returns the decisions as the input of a run. */
export const decisionList = (decisions: Decisions) => ({
  decisions: [...decisions].map(([key, { action, version }]) => ({ key, action, version })),
});
