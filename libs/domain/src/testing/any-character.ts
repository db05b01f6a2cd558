import fc from 'fast-check';

/**
 * Any code point, with common characters more often. Properties use it for arbitrary texts. The library's own unit
 * `binary` generates the same characters, but builds a list of all 1.1 million of them in each file that uses it.
 */
export const anyCharacter = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xe000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
);
