import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';

/** The parts of a plan that its hash covers. */
export const HASHED_PLAN_FIELDS = ['operations', 'objects', 'effective_changes', 'uncovered', 'refusals'] as const;
/** The parts of a revert's plan, which also includes the objects that it does not restore. */
export const HASHED_REVERT_PLAN_FIELDS = [...HASHED_PLAN_FIELDS, 'conflicts', 'not_revertible'] as const;
export type PlanPart = (typeof HASHED_REVERT_PLAN_FIELDS)[number];
export type PlanParts = Readonly<Record<(typeof HASHED_PLAN_FIELDS)[number], unknown>> &
  Readonly<Partial<Record<PlanPart, unknown>>>;

/**
 * The hash starts with a MAC of all parts. After that, it contains this many characters of the MAC of each part, to
 * report which parts differ.
 */
const PART_CHARACTERS = 12;

/** Returns JSON with sorted members, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/**
 * Returns the hash of a plan. `mac` uses a secret key, so that clients cannot verify guesses. A comparison of two
 * hashes shows which parts differ, and nothing else.
 */
export async function planHash(parts: PlanParts, mac: (text: string) => Promise<string>): Promise<string> {
  const hashes: string[] = [];
  const yielder = new EventLoopYielder();
  for (const part of HASHED_REVERT_PLAN_FIELDS) {
    if (!(part in parts)) continue;
    hashes.push(await mac(canonicalJson([part, parts[part]])));
    if (yielder.isDue) await yielder.yield();
  }
  return [await mac(hashes.join()), ...hashes.map((text) => text.slice(0, PART_CHARACTERS))].join('.');
}

/** Returns the parts in which two plans differ, or all parts if the hashes have different formats. */
export function differingParts(hash: string, otherHash: string): readonly PlanPart[] {
  if (hash === otherHash) return [];
  const [[, ...parts], [, ...otherParts]] = [hash.split('.'), otherHash.split('.')];
  const names = otherParts.length > HASHED_PLAN_FIELDS.length ? HASHED_REVERT_PLAN_FIELDS : HASHED_PLAN_FIELDS;
  const differingNames = names.filter((_, index) => parts[index] !== otherParts[index]);
  return differingNames.length > 0 && parts.length === otherParts.length ? differingNames : names;
}
