import type { Draft } from '../../lib/draft.ts';
import type { PresentCell } from '../../lib/draft-status.ts';

/** A value in words, for lists without room for the whole text. */
export interface ShownText {
  readonly words: string;
  /** The text, if it may be shown. */
  readonly text?: string;
}

const SECRET: ShownText = { words: '•••••' };

/** Describes a text; `undefined` means that there is no value. */
export function shownText(text: string | null | undefined): ShownText {
  if (text === undefined) return { words: 'not set' };
  if (text === null) return { words: 'null' };
  return text === '' ? { words: 'empty', text } : { words: text, text };
}

export function shownBase({ isSecret, base }: Draft): ShownText {
  return isSecret ? SECRET : shownText(base.text);
}

export function shownPresent({ isSecret, isOwn, base }: PresentCell): ShownText {
  if (isSecret) return isOwn ? { words: 'another secret' } : { words: 'inherits' };
  return shownText(base.text);
}

export function shownEdit({ wish, isSecret }: Draft): ShownText {
  switch (wish.kind) {
    case 'unset':
      return { words: 'will be removed' };
    case 'null':
      return { words: 'null' };
    case 'retype':
      return { words: 're-enter: secrets are not stored in drafts' };
    case 'set':
      return isSecret ? { words: 'a new secret' } : shownText(wish.text);
  }
}
