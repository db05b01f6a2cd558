import { generatePassword } from '@strata/domain';

/** The defaults of the API: letters and digits, which need no quotes in shells, URLs and YAML. */
const OPTIONS = { length: 32, lowercase: true, uppercase: true, numbers: true, symbols: false, spaces: false };

/** Generates a secret in the browser, so that it is sent only once, when it is applied. */
export const generatedSecret = (): string => generatePassword(OPTIONS, randomBelow);

const RANGE = 2 ** 32;

/** Returns a uniformly random whole number. Numbers beyond the last multiple of the bound are drawn again. */
function randomBelow(bound: number): number {
  const limit = RANGE - (RANGE % bound);
  for (;;) {
    const [drawn = RANGE] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < limit) return drawn % bound;
  }
}
