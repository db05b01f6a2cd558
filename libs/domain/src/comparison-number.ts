const DIGITS = 6;
/** Six characters have 36 bits, so every number is about equally likely. */
const CHARACTERS = 6;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the number that people compare to recognize a code challenge, such as `048-213`. A command line and the page
 * that approves its sign-in show it.
 */
export function comparisonNumber(challenge: string): string {
  const bits = [...challenge.slice(0, CHARACTERS)].reduce(
    (sum, character) => sum * 64 + ALPHABET.indexOf(character),
    0,
  );
  const digits = String(bits % 10 ** DIGITS).padStart(DIGITS, '0');
  return `${digits.slice(0, DIGITS / 2)}-${digits.slice(DIGITS / 2)}`;
}
