import type { PlannedEffect } from '../../data/plan.ts';
import type { Draft } from '../../lib/draft.ts';
import type { StoredCell } from '../../lib/draft-status.ts';

/** A value in words, for lists without room for the whole text. */
export interface DraftText {
  readonly description: string;
  /** The text; absent for a secret. */
  readonly text?: string;
  /** Whether the value is removed and nothing is left. */
  readonly isLost?: true;
}

const SECRET: DraftText = { description: '•••••' };

/** Describes a text; `undefined` means that there is no value. */
export function draftText(text: string | null | undefined): DraftText {
  if (text === undefined) return { description: 'not set' };
  if (text === null) return { description: 'null' };
  return text === '' ? { description: 'empty', text } : { description: text, text };
}

export function draftBaseText({ isSecret, base, isNew }: Draft): DraftText {
  if (isNew) return { description: 'new parameter' };
  return isSecret ? SECRET : draftText(base.text);
}

export function describeCurrentCell({ isSecret, isOwn, base }: StoredCell): DraftText {
  if (isSecret) return isOwn ? { description: 'another secret' } : { description: 'inherited' };
  return draftText(base.text);
}

export function draftEditText({ edit, isSecret }: Draft): DraftText {
  switch (edit.kind) {
    case 'unset':
      return { description: 'removed here' };
    case 'null':
      return { description: 'null' };
    case 'create':
      return { description: 'no value' };
    case 'retype':
      return { description: 're-enter: secrets are not stored in drafts' };
    case 'set':
      return isSecret ? { description: 'a new secret' } : draftText(edit.text);
  }
}

/** Returns the location of an effect, as in `PORT in production`. */
export const effectLocation = ({ parameterName, environmentName }: PlannedEffect): string =>
  `${parameterName} in ${environmentName}`;

/** Describes the text of an effect before or after the change. */
export function effectText(
  { kind, before, after, masked, problem }: PlannedEffect,
  side: 'before' | 'after',
): DraftText {
  if (kind === 'removed' && side === 'after') return { description: 'will be removed', isLost: true };
  if (kind === 'added' && side === 'before') return draftText(undefined);
  if (masked) return { description: side === 'after' && kind !== 'added' ? 'another secret' : '•••••' };
  const text = side === 'before' ? before : after;
  if (text === null && problem !== null) return { description: 'can’t be resolved' };
  return draftText(text);
}
