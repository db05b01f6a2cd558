import { type Draft, type DraftBase, type DraftMove, type DraftMoves, type Drafts, draftKey } from './draft.ts';

/** The current state of the cell of a draft. */
export interface StoredCell {
  readonly parameterId: string;
  readonly name: string;
  readonly isSecret: boolean;
  /** Whether the parameter still belongs to another project. */
  readonly isForeign: boolean;
  /** The state on which a new draft of the cell would be based. */
  readonly base: DraftBase;
  /** Whether the effective value is set in this cell. */
  readonly isOwn: boolean;
}

/** The reason why a draft conflicts with the current state of its cell. */
export type DraftConflict =
  /** Another user has set, changed or deleted the value. */
  | { readonly kind: 'changed'; readonly currentCell: StoredCell }
  | { readonly kind: 'renamed'; readonly currentCell: StoredCell }
  /** The project already has a parameter with the name of a new one. */
  | { readonly kind: 'taken'; readonly currentCell: StoredCell }
  /** The name belongs to another parameter now, which is not secret, so the drafted secret would become readable. */
  | { readonly kind: 'exposed'; readonly currentCell: StoredCell }
  /** The parameter, its project or its environment was deleted or is forbidden. */
  | { readonly kind: 'gone' };

/** The status of a draft compared with the current state of its cell. */
export type DraftStatus =
  | { readonly kind: 'good' }
  /**
   * The cell has a new version that does not conflict with the draft. `draft` is based on that version, or null if the version equals the
   * draft.
   */
  | { readonly kind: 'moved'; readonly draft: Draft | null }
  | { readonly kind: 'conflict'; readonly conflict: DraftConflict };

const GOOD: DraftStatus = { kind: 'good' };

/** Returns the status of a draft. `present` is null for a deleted cell, and undefined if the current state is not loaded. */
export function compareDraft(draft: Draft, currentCell: StoredCell | null | undefined): DraftStatus {
  if (currentCell === undefined) return GOOD;
  if (draft.isNew) return newParameterStatus(draft, currentCell);
  if (currentCell === null) return { kind: 'conflict', conflict: { kind: 'gone' } };
  // A state that is older than the draft contains no later changes.
  if (currentCell.base.revision < draft.base.revision) return GOOD;
  if (exposesSecret(draft, currentCell)) return { kind: 'conflict', conflict: { kind: 'exposed', currentCell } };
  if (currentCell.name !== draft.name) return { kind: 'conflict', conflict: { kind: 'renamed', currentCell } };
  const { base } = currentCell;
  const isSamePlace = currentCell.parameterId === draft.parameterId && currentCell.isSecret === draft.isSecret;
  if (isSamePlace && base.ledgerId === draft.base.ledgerId) return GOOD;
  if (equalsDraft(draft, currentCell)) return { kind: 'moved', draft: null };
  const isSameText = !currentCell.isSecret && !draft.isSecret && haveSameText(draft.base, base);
  const isStillNothing =
    currentCell.isSecret === draft.isSecret && draft.base.ledgerId === null && base.ledgerId === null;
  if (isSameText || isStillNothing) return { kind: 'moved', draft: rebaseDraft(draft, currentCell) };
  return { kind: 'conflict', conflict: { kind: 'changed', currentCell } };
}

/** Returns the status of a draft that creates a parameter. It does not conflict with an inherited parameter, which it overrides. */
function newParameterStatus(draft: Draft, currentCell: StoredCell | null): DraftStatus {
  if (currentCell === null || currentCell.isForeign || currentCell.base.revision < draft.base.revision) return GOOD;
  // The secret was created together with its other values, but this value must be typed again.
  const isRest = draft.edit.kind === 'retype' && currentCell.isSecret && currentCell.base.ledgerId === null;
  if (isRest) return { kind: 'moved', draft: rebaseDraft(draft, currentCell) };
  return { kind: 'conflict', conflict: { kind: 'taken', currentCell } };
}

/** Returns whether a draft in conflict can be kept as a draft of the present cell. */
export function canKeepDraft(draft: Draft, conflict: DraftConflict): boolean {
  if (conflict.kind === 'gone' || exposesSecret(draft, conflict.currentCell)) return false;
  return (
    conflict.kind !== 'taken' || (draft.edit.kind !== 'create' && conflict.currentCell.isSecret === draft.isSecret)
  );
}

/** Returns whether a drafted secret would become the value of a parameter that is not secret. Such a draft can only be discarded. */
export const exposesSecret = ({ edit, isSecret }: Draft, currentCell: StoredCell): boolean =>
  isSecret && !currentCell.isSecret && (edit.kind === 'set' || edit.kind === 'retype');

/** Describes a conflict in a few words. */
export function describeDraftConflict(conflict: DraftConflict): string {
  switch (conflict.kind) {
    case 'changed':
      return 'changed by someone else';
    case 'renamed':
      return `the parameter is now named ${conflict.currentCell.name}`;
    case 'taken':
      return 'the project already has a parameter with this name';
    case 'exposed':
      return 'the parameter is no longer secret, so the drafted secret cannot be set';
    case 'gone':
      return 'deleted, or you don’t have access';
  }
}

/** Returns the draft based on the current state of its cell. */
export function rebaseDraft(draft: Draft, { parameterId, name, isSecret, isForeign, base }: StoredCell): Draft {
  return { ...draft, parameterId, name, isSecret, isForeign, base, isNew: undefined };
}

/** Returns the drafts with conflicts, and the moves of drafts that have a newer version without a conflict. */
export function conflictsAndMoves(
  drafts: Drafts,
  presentOf: (draft: Draft) => StoredCell | null | undefined,
): { readonly conflicts: ReadonlyMap<string, DraftConflict>; readonly moves: DraftMoves } {
  const conflicts = new Map<string, DraftConflict>();
  const moves = new Map<string, DraftMove>();
  for (const draft of drafts.values()) {
    const status = compareDraft(draft, presentOf(draft));
    if (status.kind === 'conflict') conflicts.set(draftKey(draft), status.conflict);
    else if (status.kind === 'moved') moves.set(draftKey(draft), { from: draft, to: status.draft });
  }
  return { conflicts, moves };
}

/** Returns whether both values were set in the cell itself and have the same text. */
const haveSameText = (left: DraftBase, right: DraftBase): boolean =>
  left.ledgerId !== null && right.ledgerId !== null && left.text === right.text && left.dynamic === right.dynamic;

/** Returns whether the current state equals the draft. Secrets are never compared. */
function equalsDraft({ edit, isSecret }: Draft, { isSecret: isSecretNow, isOwn, base }: StoredCell): boolean {
  if (edit.kind === 'unset') return base.ledgerId === null;
  if (isSecret || isSecretNow || !isOwn) return false;
  if (edit.kind === 'null') return base.text === null;
  return edit.kind === 'set' && base.text === edit.text && base.dynamic === edit.dynamic;
}
