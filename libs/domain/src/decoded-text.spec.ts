import fc from 'fast-check';
import { decodeText } from './decoded-text.ts';

const encodeText = (text: string, encoding: 'latin1' | 'utf16le' | 'utf8' = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding));

describe('bytes that become text', () => {
  it.each`
    what                                | bytes                                                   | line | problem
    ${'Latin-1'}                        | ${encodeText('A=1\nNAME=caf\xe9\n', 'latin1')}          | ${2} | ${/not UTF-8.*Windows-1252 \(Latin-1\)/}
    ${'Latin-1 with lone CR line ends'} | ${encodeText('A=1\rB=2\r\nNAME=caf\xe9', 'latin1')}     | ${3} | ${/Windows-1252/}
    ${'UTF-16 with a byte order mark'}  | ${encodeText('\ufeffNAME=caf\xe9\n', 'utf16le')}        | ${1} | ${/UTF-16 \(little-endian\)/}
    ${'big-endian UTF-16'}              | ${new Uint8Array([0xfe, 0xff, 0, 0x41])}                | ${1} | ${/UTF-16 \(big-endian\)/}
    ${'UTF-16 without a mark'}          | ${encodeText('NAME=value\n', 'utf16le')}                | ${1} | ${/looks like UTF-16/}
    ${'UTF-32'}                         | ${new Uint8Array([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])}    | ${1} | ${/UTF-32/}
    ${'a null byte'}                    | ${encodeText('A=1\nB=\0\n')}                            | ${2} | ${/base64/}
    ${'a key'}                          | ${new Uint8Array([0x41, 0x0a, 0x01, 0x90, 0xff, 0xc3])} | ${2} | ${/base64/}
    ${'a half character at the end'}    | ${new Uint8Array([0x41, 0x3d, 0xc3])}                   | ${1} | ${/not UTF-8/}
    ${'an encoded surrogate'}           | ${new Uint8Array([0x41, 0xed, 0xa0, 0x80])}             | ${1} | ${/not UTF-8/}
  `('are rejected with line and encoding: $what', ({ bytes, line, problem }) => {
    expect(decodeText(bytes)).toEqual({ line, problem: expect.stringMatching(problem) });
  });

  it('are the same text that was encoded, without a byte order mark', () => {
    expect(decodeText(encodeText('\ufeffA=1\n'))).toEqual({ text: 'A=1\n' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/^\ufeff|\0/.test(text));
        expect(decodeText(encodeText(text))).toEqual({ text });
      }),
    );
  });

  it('never become text with replacement characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const { text } = decodeText(bytes);
        const withoutMark = Buffer.from(bytes)
          .toString('latin1')
          .replace(/^\xef\xbb\xbf/, '');
        if (text !== undefined) expect(Buffer.from(text).toString('latin1')).toBe(withoutMark);
      }),
    );
  });
});
