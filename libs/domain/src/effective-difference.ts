import type { NamedObject } from './event.ts';

/** The effective value of a name of a project in an environment. */
export interface EffectiveCell {
  readonly project: NamedObject;
  readonly environment: NamedObject;
  readonly name: string;
  /** The evaluated text. Null for an explicit null or a text that fails to evaluate; a mask for a secret. */
  readonly text: string | null;
  /** Whether the value is secret or refers to a secret. */
  readonly secret: boolean;
  /** Why the text cannot be evaluated; null if it can. */
  readonly problem: string | null;
  /**
   * Identifies the inputs of the text. It is compared instead of the text if the text is secret or cannot be evaluated.
   */
  readonly madeOf: string;
  /**
   * Whether a forbidden cell determines the value. Then the caller may not learn whether the value changed, so it
   * counts as changed.
   */
  readonly isForbidden?: boolean;
}

export interface EffectiveCellChange {
  readonly project: NamedObject;
  readonly environment: NamedObject;
  readonly name: string;
  /** Null if the cell is new. */
  readonly before: EffectiveCell | null;
  /** Null if the cell was removed. */
  readonly after: EffectiveCell | null;
}

/**
 * Returns the cells that differ: first in the order of `after`, then the removed ones. A rewritten secret counts as
 * changed, and so does every text that refers to it, because the result must not reveal whether the secret's text is
 * the same.
 */
export function effectiveDifference(
  before: readonly EffectiveCell[],
  after: readonly EffectiveCell[],
): readonly EffectiveCellChange[] {
  const beforeByKey = new Map(before.map((cell) => [cellKey(cell), cell]));
  const changes: EffectiveCellChange[] = [];
  for (const cell of after) {
    const key = cellKey(cell);
    const cellBefore = beforeByKey.get(key) ?? null;
    beforeByKey.delete(key);
    if (cellBefore === null || !isSame(cellBefore, cell))
      changes.push({ ...pickLocation(cell), before: cellBefore, after: cell });
  }
  for (const cell of beforeByKey.values()) changes.push({ ...pickLocation(cell), before: cell, after: null });
  return changes;
}

function isSame(before: EffectiveCell, after: EffectiveCell): boolean {
  if (after.isForbidden) return false;
  if (before.secret !== after.secret || before.problem !== after.problem) return false;
  // the absence of a text is not secret
  const isOpen = !after.secret || before.text === null || after.text === null;
  return isOpen && after.problem === null ? before.text === after.text : before.madeOf === after.madeOf;
}

const cellKey = ({ project, environment, name }: EffectiveCell) => `${project.id} ${environment.id} ${name}`;
const pickLocation = ({ project, environment, name }: EffectiveCell) => ({ project, environment, name });
