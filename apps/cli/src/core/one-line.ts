import { withoutHidden } from '@strata/domain';

/**
 * Returns a text of the configuration on one line. It spells out hidden characters, which could otherwise change what
 * the terminal shows.
 */
export const toOneLine = (text: string): string =>
  withoutHidden(text.replace(/[\\\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1)));
