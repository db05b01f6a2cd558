import type { Named } from './event.ts';

/** What a project shows under a name in an environment. */
export interface EffectiveCell {
  readonly project: Named;
  readonly environment: Named;
  readonly name: string;
  /** As programs read it: evaluated. Null is an explicit null, or a text that fails; of a secret it is a mask. */
  readonly text: string | null;
  /** It is secret, or says something that is. */
  readonly secret: boolean;
  /** Why the text cannot be evaluated; null when it can. */
  readonly problem: string | null;
  /** Stands for what the text is made of, where the text itself must not be compared, or cannot be. */
  readonly madeOf: string;
  /** A forbidden location decides what programs read: whether that changes is not reported, so it counts as changed. */
  readonly isForbidden?: boolean;
}

export interface EffectiveCellChange {
  readonly project: Named;
  readonly environment: Named;
  readonly name: string;
  /** Null when it was not there. */
  readonly before: EffectiveCell | null;
  /** Null when it is not there any more. */
  readonly after: EffectiveCell | null;
}

/**
 * The cells that differ. A secret that was written counts as changed, and so does what says it: whether its text is another
 * one is not to be found out. In the order of `after`, then what is gone.
 */
export function effectiveDifference(
  before: readonly EffectiveCell[],
  after: readonly EffectiveCell[],
): readonly EffectiveCellChange[] {
  const known = new Map(before.map((cell) => [keyOf(cell), cell]));
  const changes: EffectiveCellChange[] = [];
  for (const cell of after) {
    const key = keyOf(cell);
    const earlier = known.get(key) ?? null;
    known.delete(key);
    if (earlier === null || !isSame(earlier, cell)) changes.push({ ...placeOf(cell), before: earlier, after: cell });
  }
  for (const cell of known.values()) changes.push({ ...placeOf(cell), before: cell, after: null });
  return changes;
}

function isSame(before: EffectiveCell, after: EffectiveCell): boolean {
  if (after.isForbidden) return false;
  if (before.secret !== after.secret || before.problem !== after.problem) return false;
  // that there is no text is no secret
  const isOpen = !after.secret || before.text === null || after.text === null;
  return isOpen && after.problem === null ? before.text === after.text : before.madeOf === after.madeOf;
}

const keyOf = ({ project, environment, name }: EffectiveCell) => `${project.id} ${environment.id} ${name}`;
const placeOf = ({ project, environment, name }: EffectiveCell) => ({ project, environment, name });
