const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns a text in which characters are spelled out that are invisible, that change how others are shown, or that break
 * lines, except those that are `kept`.
 */
export const withoutHidden = (text: string, allowedCharacters = ''): string =>
  text.replace(HIDDEN, (character) =>
    allowedCharacters.includes(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
