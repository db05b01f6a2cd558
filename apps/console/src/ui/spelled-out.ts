/** Nobody sees them, and some reorder what stands beside them: controls but for those of lines, and marks of direction and width. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** A text with each character that nobody sees told by its number, as Unicode writes it. */
export const spelledOut = (text: string): string =>
  text.replace(UNSEEN, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
