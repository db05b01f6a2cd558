import type { Draft } from '../../lib/draft.ts';
import type { PresentCell } from '../../lib/draft-status.ts';

/** How a text reads where there is not more room than for words. */
export interface ShownText {
  readonly words: string;
  /** The text itself, where it is one that may be shown. */
  readonly text?: string;
}

const SECRET: ShownText = { words: '•••••' };

/** `undefined` where nothing applies. */
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
