import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { generatePassword, type PasswordOptions } from './password.ts';

const KINDS = {
  lowercase: /[a-z]/,
  uppercase: /[A-Z]/,
  numbers: /[0-9]/,
  symbols: /[^A-Za-z0-9 ]/,
  spaces: / /,
} as const;

const inputs = fc
  .record({
    length: fc.integer({ min: 8, max: 200 }),
    lowercase: fc.boolean(),
    uppercase: fc.boolean(),
    numbers: fc.boolean(),
    symbols: fc.boolean(),
    spaces: fc.boolean(),
  })
  .filter((input) => input.lowercase || input.uppercase || input.numbers || input.symbols || input.spaces);

const randomBelow = (bound: number) => randomInt(bound);

describe('a generated password', () => {
  it('has the requested length, at least one character of each kind, and no other kind', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const password = generatePassword(input, randomBelow);
        expect(password).toHaveLength(input.length);
        for (const [kind, pattern] of Object.entries(KINDS)) {
          expect(pattern.test(password)).toBe(input[kind as keyof typeof KINDS]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is uniformly distributed over positions and characters', () => {
    const input: PasswordOptions = {
      length: 8,
      lowercase: false,
      uppercase: false,
      numbers: true,
      symbols: false,
      spaces: true,
    };
    const spaces = Array.from({ length: 8 }, () => 0);
    const digits = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 20_000; n += 1) {
      for (const [position, character] of [...generatePassword(input, randomBelow)].entries()) {
        if (character === ' ') spaces[position] = (spaces[position] ?? 0) + 1;
        else digits[Number(character)] = (digits[Number(character)] ?? 0) + 1;
      }
    }
    for (const counts of [spaces, digits]) {
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
    }
  });

  it('requires at least one kind of character', () => {
    const none = { length: 8, lowercase: false, uppercase: false, numbers: false, symbols: false, spaces: false };
    expect(() => generatePassword(none, randomBelow)).toThrow('No such password');
  });

  it('throws instead of looping forever if the random source is broken', () => {
    const input = { length: 8, lowercase: true, uppercase: true, numbers: false, symbols: false, spaces: false };
    expect(() => generatePassword(input, () => 0)).toThrow('repeats itself');
  });
});
