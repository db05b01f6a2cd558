import type { PlannedEffect } from '../../data/plan.ts';
import type { Draft } from '../../lib/draft.ts';
import type { PresentCell } from '../../lib/draft-status.ts';

/** A value in words, for lists without room for the whole text. */
export interface DraftText {
  readonly words: string;
  /** The text; absent for a secret. */
  readonly text?: string;
  /** Whether the value is removed and nothing is left. */
  readonly isLost?: true;
}

const SECRET: DraftText = { words: '•••••' };

/** Describes a text; `undefined` means that there is no value. */
export function draftText(text: string | null | undefined): DraftText {
  if (text === undefined) return { words: 'not set' };
  if (text === null) return { words: 'null' };
  return text === '' ? { words: 'empty', text } : { words: text, text };
}

export function draftBaseText({ isSecret, base, isNew }: Draft): DraftText {
  if (isNew) return { words: 'new parameter' };
  return isSecret ? SECRET : draftText(base.text);
}

export function presentCellText({ isSecret, isOwn, base }: PresentCell): DraftText {
  if (isSecret) return isOwn ? { words: 'another secret' } : { words: 'inherited' };
  return draftText(base.text);
}

export function draftEditText({ edit, isSecret }: Draft): DraftText {
  switch (edit.kind) {
    case 'unset':
      return { words: 'removed here' };
    case 'null':
      return { words: 'null' };
    case 'create':
      return { words: 'no value' };
    case 'retype':
      return { words: 're-enter: secrets are not stored in drafts' };
    case 'set':
      return isSecret ? { words: 'a new secret' } : draftText(edit.text);
  }
}

/** Returns the location of an effect, as in `PORT in production`. */
export const effectLocation = ({ parameterName, environmentName }: PlannedEffect): string =>
  `${parameterName} in ${environmentName}`;

/** Describes the text of an effect before or after the change. */
export function effectText(
  { kind, before, after, masked, problem }: PlannedEffect,
  which: 'before' | 'after',
): DraftText {
  if (kind === 'removed' && which === 'after') return { words: 'will be removed', isLost: true };
  if (kind === 'added' && which === 'before') return draftText(undefined);
  if (masked) return { words: which === 'after' && kind !== 'added' ? 'another secret' : '•••••' };
  const text = which === 'before' ? before : after;
  if (text === null && problem !== null) return { words: 'can’t be resolved' };
  return draftText(text);
}
