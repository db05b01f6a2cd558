/** The options of a generated password. At least one kind of character must be set. */
export interface PasswordOptions {
  /** The length must be at least the number of selected kinds. */
  readonly length: number;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly numbers: boolean;
  readonly symbols: boolean;
  readonly spaces: boolean;
}

type Kind = Exclude<keyof PasswordOptions, 'length'>;

const ALPHABETS: Readonly<Record<Kind, string>> = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  numbers: '0123456789',
  symbols: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  spaces: ' ',
};

/** The rarest case, eight characters of all kinds, succeeds once in about twenty-five draws. */
const DRAWS_MAX = 100_000;

/** Returns the requested kinds of characters. */
export function passwordKinds(input: PasswordOptions): readonly Kind[] {
  return (Object.keys(ALPHABETS) as Kind[]).filter((kind) => input[kind]);
}

/**
 * Returns a password of exactly this length with the requested kinds of characters and at least one of each. Complete
 * passwords are drawn until one has every kind, so every valid password is equally likely. `below(n)` must return a
 * uniformly random whole number from 0 to n - 1.
 */
export function generatePassword(input: PasswordOptions, randomBelow: (bound: number) => number): string {
  const alphabets = passwordKinds(input).map((kind) => ALPHABETS[kind]);
  if (alphabets.length === 0 || input.length < alphabets.length) throw new Error('No such password exists.');
  const alphabet = alphabets.join('');
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const characters = Array.from({ length: input.length }, () => alphabet.charAt(randomBelow(alphabet.length)));
    if (alphabets.every((kind) => characters.some((character) => kind.includes(character)))) return characters.join('');
  }
  throw new Error('The source of randomness repeats itself.');
}
