import type { NotRevertible, Plan, PlanDifference, RevertConflict } from '@strata/contract';
import type { PlanPart } from './plan-hash.ts';

/** What an entry of a plan is about; the same again with something else in it is another one. */
const KEYS = {
  objects: ({ object }: Plan['objects'][number]) => object,
  effective_changes: (entry: Plan['effective_changes'][number]) =>
    JSON.stringify([entry.project_name, entry.environment_name, entry.parameter_name]),
  uncovered: (entry: Plan['uncovered'][number]) => JSON.stringify(entry),
  refusals: ({ index }: Plan['refusals'][number]) => String(index),
  conflicts: (entry: RevertConflict) => JSON.stringify([entry.object_type, entry.object_id]),
  not_revertible: (entry: NotRevertible) => JSON.stringify([entry.object_type, entry.object_id]),
} as const;

type Compared = keyof typeof KEYS;
type Entry = Record<string, unknown>;

/** What is different in `plan` from the one that was looked at, as far as that was sent along. */
export function planDifference(
  parts: readonly PlanPart[],
  seen: Readonly<Record<string, unknown>> | null,
  plan: Plan,
): PlanDifference {
  const of = <Name extends Compared>(name: Name) => entriesBetween(seen?.[name], plan[name] ?? [], KEYS[name] as never);
  return {
    parts: [...parts],
    ...(seen !== null && {
      objects: of('objects'),
      effective_changes: of('effective_changes'),
      uncovered: of('uncovered'),
      refusals: of('refusals'),
    }),
    ...(seen !== null &&
      plan.conflicts !== undefined && { conflicts: of('conflicts'), not_revertible: of('not_revertible') }),
  };
}

function entriesBetween(before: unknown, after: readonly Entry[], keyOf: (entry: Entry) => string) {
  const known = new Map(entriesIn(before).map((entry) => [keyOf(entry), entry]));
  const now = new Map(after.map((entry) => [keyOf(entry), entry]));
  return {
    new: [...now].flatMap(([key, entry]) => (known.has(key) ? [] : [entry])),
    gone: [...known].flatMap(([key, entry]) => (now.has(key) ? [] : [entry])),
    other: [...now].flatMap(([key, entry]) => {
      const earlier = known.get(key);
      return earlier && !isSame(earlier, entry) ? [entry] : [];
    }),
  };
}

/** What somebody sent is any JSON; what cannot be an entry is none. */
function entriesIn(list: unknown): readonly Entry[] {
  return Array.isArray(list) ? list.filter((entry): entry is Entry => typeof entry === 'object' && entry !== null) : [];
}

function isSame(one: Entry, other: Entry): boolean {
  const text = (entry: Entry) => JSON.stringify(Object.entries(entry).sort());
  return text(one) === text(other);
}
