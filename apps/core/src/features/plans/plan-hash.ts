/** The parts of a plan that must be the same again, by name. */
export const PLAN_PARTS = ['operations', 'objects', 'effective_changes', 'uncovered', 'refusals'] as const;
/** Those of a revert: what it leaves as it is, besides. */
export const REVERT_PLAN_PARTS = [...PLAN_PARTS, 'conflicts', 'not_revertible'] as const;
export type PlanPart = (typeof REVERT_PLAN_PARTS)[number];
export type PlanParts = Readonly<Record<(typeof PLAN_PARTS)[number], unknown>> &
  Readonly<Partial<Record<PlanPart, unknown>>>;

/** Of each part enough to tell it from another one; it is the whole that must be the same. */
const PART_CHARACTERS = 12;

/** One text for one meaning: members in the order of their names, whatever order they were made in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** `mac` stands for a text so that nobody else can. The hash tells which part is another one, and nothing of what it says. */
export async function planHash(parts: PlanParts, mac: (text: string) => Promise<string>): Promise<string> {
  const each: string[] = [];
  for (const part of REVERT_PLAN_PARTS) if (part in parts) each.push(await mac(canonicalJson([part, parts[part]])));
  return [await mac(each.join()), ...each.map((text) => text.slice(0, PART_CHARACTERS))].join('.');
}

/** The parts in which two plans differ; all where a hash is none of ours. */
export function differingParts(hash: string, other: string): readonly PlanPart[] {
  if (hash === other) return [];
  const [[, ...parts], [, ...others]] = [hash.split('.'), other.split('.')];
  const names = others.length > PLAN_PARTS.length ? REVERT_PLAN_PARTS : PLAN_PARTS;
  const differing = names.filter((_, index) => parts[index] !== others[index]);
  return differing.length > 0 && parts.length === others.length ? differing : names;
}
