import type { NotRevertible, Plan, PlanDifference, RevertConflict, SeenPlan } from '@strata/contract';
import { canonicalJson, type PlanPart } from './plan-hash.ts';

type SeenEntry<Name extends keyof SeenPlan> = NonNullable<SeenPlan[Name]>[number];

/** The key of each kind of entry. Two entries with the same key describe the same object. */
const KEYS = {
  objects: ({ object }: SeenEntry<'objects'>) => object,
  effective_changes: (entry: SeenEntry<'effective_changes'>) =>
    JSON.stringify([entry.project_name, entry.environment_name, entry.parameter_name]),
  uncovered: ({ reason, project_name: project, environment_name: environment, name }: SeenEntry<'uncovered'>) =>
    JSON.stringify([reason, project ?? null, environment ?? null, name]),
  refusals: ({ index }: SeenEntry<'refusals'>) => String(index),
  conflicts: (entry: SeenEntry<'conflicts'>) => ofObject(entry),
  not_revertible: (entry: SeenEntry<'not_revertible'>) => ofObject(entry),
} as const;

function ofObject({ object_type: type, object_id: id }: Partial<RevertConflict | NotRevertible>): string {
  return JSON.stringify([type ?? null, id ?? null]);
}

type Compared = keyof typeof KEYS;
type Entry = Readonly<Record<string, unknown>>;

/** Returns how `plan` differs from the plan that the client sent. */
export function planDifference(parts: readonly PlanPart[], seenPlan: SeenPlan | null, plan: Plan): PlanDifference {
  const compareEntries = (name: Compared) =>
    entriesBetween(seenPlan?.[name] ?? [], plan[name] ?? [], KEYS[name] as KeyOf);
  return {
    parts: [...parts],
    ...(seenPlan !== null && {
      objects: compareEntries('objects'),
      effective_changes: compareEntries('effective_changes'),
      uncovered: compareEntries('uncovered'),
      refusals: compareEntries('refusals'),
    }),
    ...(seenPlan !== null &&
      plan.conflicts !== undefined && {
        conflicts: compareEntries('conflicts'),
        not_revertible: compareEntries('not_revertible'),
      }),
  };
}

type KeyOf = (entry: Entry) => string;

function entriesBetween(before: readonly Entry[], after: readonly Entry[], keyOf: KeyOf) {
  const entriesBefore = new Map(before.map((entry) => [keyOf(entry), entry]));
  const entriesAfter = new Map(after.map((entry) => [keyOf(entry), entry]));
  return {
    new: [...entriesAfter].flatMap(([key, entry]) => (entriesBefore.has(key) ? [] : [entry])),
    gone: [...entriesBefore].flatMap(([key, entry]) => (entriesAfter.has(key) ? [] : [entry])),
    other: [...entriesAfter].flatMap(([key, entry]) => {
      const entryBefore = entriesBefore.get(key);
      return entryBefore && !isSameEntry(entryBefore, entry) ? [entry] : [];
    }),
  };
}

/**
 * Returns whether two entries are equal. Compares only the members that the client sent, because clients may leave out
 * some; a missing `problem` means that there was none.
 */
function isSameEntry(seenEntry: Entry, now: Entry): boolean {
  return ['problem', ...Object.keys(seenEntry)].every(
    (member) => canonicalJson(seenEntry[member] ?? null) === canonicalJson(now[member] ?? null),
  );
}
