const WHOLE_NUMBER = /^([+-]?)([0-9]+)$/;

/** Accepts an optional sign and any number of decimal digits (behaviour.md §8.3). */
export function isWholeNumber(text: string): boolean {
  return WHOLE_NUMBER.test(text);
}

/**
 * Compares two whole numbers given as text: negative if the left one is smaller, 0 if they are equal. Compares the
 * digits as text, so numbers of any size take linear time. Throws for other texts.
 */
export function compareWholeNumbers(left: string, right: string): number {
  const [a, b] = [parseDigits(left), parseDigits(right)];
  if (a.sign !== b.sign) return a.sign - b.sign;
  const [smaller, larger] = a.sign < 0 ? [b.digits, a.digits] : [a.digits, b.digits];
  return smaller.length - larger.length || (smaller < larger ? -1 : smaller > larger ? 1 : 0);
}

/** Zero has no sign and no digits. */
function parseDigits(text: string): { readonly sign: -1 | 0 | 1; readonly digits: string } {
  const [, sign, writtenDigits] = WHOLE_NUMBER.exec(text) ?? [];
  if (writtenDigits === undefined) throw new Error('This is not a whole number.');
  const digits = writtenDigits.replace(/^0+/, '');
  if (digits === '') return { sign: 0, digits };
  return { sign: sign === '-' ? -1 : 1, digits };
}
