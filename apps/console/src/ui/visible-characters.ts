/**
 * Matches invisible characters: control characters except line breaks, zero-width characters, and marks that change the direction of text.
 */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** Replaces each invisible character of a text with its code point, so that it cannot hide or reorder text. */
export const withVisibleCharacters = (text: string): string =>
  text.replace(UNSEEN, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
