import fc from 'fast-check';
import { buildExport, exportName } from './export.ts';
import { anyCharacter } from './testing/any-character.ts';

describe('exportName', () => {
  it.each([
    ['first_param', 'FIRST_PARAM'],
    ['_x1', '_X1'],
    ['non.posix.key', null],
    ['1st', null],
    ['a b', null],
    ['a-b', null],
    ['', null],
    ['ÄB', null],
  ])('maps %j to %j', (name, expected) => {
    expect(exportName(name)).toBe(expected);
  });
});

describe('exportBody', () => {
  const lines = [
    { name: 'B', text: '2' },
    { name: 'C', text: 'x y' },
    { name: 'D', text: null },
  ];

  it('writes each format byte for byte', () => {
    expect(buildExport(lines, 'docker')).toBe('B=2\nC=x y\nD=\n');
    expect(buildExport(lines, 'dotenv')).toBe('B="2"\nC="x y"\nD=""\n');
    expect(buildExport(lines, 'shell')).toBe("B=2\nC='x y'\nD=''\n");
    expect(buildExport(lines, 'shell', { explicitExport: true })).toBe("export B=2\nexport C='x y'\nexport D=''\n");
    expect(buildExport(lines, 'dotenv', { explicitExport: true })).toMatch(/^export B="2"\n/);
    expect(buildExport(lines, 'docker', { explicitExport: true })).toBe('B=2\nC=x y\nD=\n');
    expect(buildExport([], 'shell')).toBe('');
  });

  it('writes text that a shell reads back exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 20 }), (text) => {
        const word = buildExport([{ name: 'A', text }], 'shell').slice(2, -1);
        expect(asShellReads(word)).toBe(text);
      }),
    );
  });

  it('writes text that dotenv reads back line by line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\r', ' ', '$'), maxLength: 8 })),
        (texts) => {
          const body = buildExport(
            texts.map((text) => ({ name: 'A', text })),
            'dotenv',
          );
          const read = body
            .split('\n')
            .slice(0, -1)
            .map((line) =>
              line.slice(3, -1).replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c === 'r' ? '\r' : c)),
            );
          expect(read).toEqual(texts);
        },
      ),
    );
  });
});

/** Removes the quotes of a POSIX shell, as far as this test needs. */
function asShellReads(word: string): string {
  let read = '';
  for (let index = 0; index < word.length; ) {
    const quote = word[index];
    if (quote === "'" || quote === '"') {
      const end = word.indexOf(quote, index + 1);
      read += word.slice(index + 1, end);
      index = end + 1;
    } else {
      if (!/[A-Za-z0-9_@%+=:,./-]/.test(quote ?? '')) throw new Error(`A shell would not leave ${quote} alone.`);
      read += quote;
      index += 1;
    }
  }
  return read;
}
