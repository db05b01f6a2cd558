import * as fc from 'fast-check';
import { parseTextBlock, parseTsv, toTsv } from './tsv.ts';

describe('cells on the clipboard', () => {
  it('are read as they were written, whatever their texts contain', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[\t\n\r" a]*$/));
    const block = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([rows, columns]) =>
        fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
      )
      // A last row that is one empty cell cannot be distinguished from a line break at the end.
      .filter((rows) => rows.length === 1 || rows.at(-1)?.join('\t') !== '');
    fc.assert(
      fc.property(block, (rows) => {
        expect(parseTsv(toTsv(rows))).toEqual(rows);
      }),
    );
  });

  it.each`
    of                                  | text                                              | cells
    ${'one value'}                      | ${'good day'}                                     | ${[['good day']]}
    ${'nothing'}                        | ${''}                                             | ${[['']]}
    ${'Excel, with its last break'}     | ${'a\tb\r\nc\td\r\n'}                             | ${[['a', 'b'], ['c', 'd']]}
    ${'Sheets, with a line break'}      | ${'"two\nlines"\t"say ""hi"""'}                   | ${[['two\nlines', 'say "hi"']]}
    ${'a quote within a text'}          | ${'5" disk\tx'}                                   | ${[['5" disk', 'x']]}
    ${'a quote that is never closed'}   | ${'"open\tx\ny'}                                  | ${[['"open', 'x'], ['y']]}
    ${'a text that begins with quotes'} | ${'"a" and b\tx'}                                 | ${[['"a" and b', 'x']]}
    ${'empty cells'}                    | ${'\t\n\tb'}                                      | ${[['', ''], ['', 'b']]}
    ${'JSON, which is one value'}       | ${'{\n\t"a": 1\n}'}                               | ${[['{\n\t"a": 1\n}']]}
    ${'a key, which is one value'}      | ${'-----BEGIN KEY-----\nAA\n-----END KEY-----\n'} | ${[['-----BEGIN KEY-----\nAA\n-----END KEY-----\n']]}
    ${'lines that only look like JSON'} | ${'{a}\n{b}'}                                     | ${[['{a}'], ['{b}']]}
  `('of $of', ({ text, cells }) => {
    expect(parseTextBlock(text)).toEqual(cells);
  });
});
