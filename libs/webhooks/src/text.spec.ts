import fc from 'fast-check';
import { bold, dateToken, formatLink, formatUtcTime, plain } from './text.ts';

describe('plain', () => {
  it.each`
    what                        | text                                | expected
    ${'an ordinary name'}       | ${'DB_HOST'}                        | ${'DB_HOST'}
    ${'a mention of everybody'} | ${'<!channel>'}                     | ${'&lt;!channel&gt;'}
    ${'a mention of a person'}  | ${'<@U012AB3CD>'}                   | ${'&lt;@U012AB3CD&gt;'}
    ${'a disguised link'}       | ${'<https://evil.example|log in>'}  | ${'&lt;https://evil.example|log in&gt;'}
    ${'an entity'}              | ${'&lt;!here&gt;'}                  | ${'&amp;lt;!here&amp;gt;'}
    ${'back-ticks'}             | ${'`rm -rf`'}                       | ${'rm -rf'}
    ${'line breaks'}            | ${'a\r\n• dana deleted everything'} | ${'a • dana deleted everything'}
    ${'NUL and escape'}         | ${'a\u0000b\u001b[31mc'}            | ${'a b [31mc'}
    ${'a reversed direction'}   | ${'user\u202egnp.exe'}              | ${'user gnp.exe'}
    ${'half a character'}       | ${'a\ud83d'}                        | ${'a'}
    ${'a composed emoji'}       | ${'👩‍💻'}                             | ${'👩‍💻'}
    ${'nothing visible'}        | ${' \u200b\n`'}                     | ${'(no name)'}
  `('makes $what harmless', ({ text, expected }) => {
    expect(plain(text, 150)).toBe(expected);
  });

  it.each`
    what                | text        | max  | expected
    ${'letters'}        | ${'abcdef'} | ${5} | ${'abcd…'}
    ${'an exact fit'}   | ${'abcde'}  | ${5} | ${'abcde'}
    ${'emoji'}          | ${'😀😀😀'} | ${4} | ${'😀…'}
    ${'entities'}       | ${'a&b'}    | ${6} | ${'a…'}
    ${'a fitting pair'} | ${'😀😀'}   | ${4} | ${'😀😀'}
  `('cuts $what between code points and never inside an entity', ({ text, max, expected }) => {
    expect(plain(text, max)).toBe(expected);
  });

  it('never contains markup and never exceeds its limit', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 10, max: 200 }), (text, max) => {
        const result = plain(text, max);
        expect(result.length).toBeLessThanOrEqual(max);
        expect(result).not.toMatch(/[<>`\p{Cc}\p{Cs}]/u);
        expect(result.replace(/&(amp|lt|gt);/g, '')).not.toContain('&');
        expect(result).not.toBe('');
      }),
    );
  });

  it('leaves names of letters, digits and common punctuation unchanged', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.:/-]{1,150}$/), (name) => {
        expect(plain(name, 150)).toBe(name);
      }),
    );
  });
});

describe('bold', () => {
  it('leaves a name unchanged that would end the bold text early', () => {
    expect(bold('billing')).toBe('*billing*');
    expect(bold('a*b')).toBe('a*b');
  });
});

describe('times', () => {
  it("are shown in the reader's time zone, with UTC as fallback", () => {
    expect(dateToken('2026-11-20T22:40:07.123456Z')).toBe(
      '<!date^1795214407^{date_short_pretty} {time_secs}|2026-11-20 22:40:07 UTC>',
    );
  });

  it('are escaped text if they cannot be parsed', () => {
    expect(dateToken('<!channel>')).toBe('&lt;!channel&gt;');
    expect(formatUtcTime('')).toBe('(no name)');
  });
});

describe('link', () => {
  it.each`
    address                                        | expected
    ${'https://strata.example/a?b=1&c=2'}          | ${'<https://strata.example/a?b=1&amp;c=2|Open>'}
    ${'https://strata.example/a|b>c<d'}            | ${'<https://strata.example/a%7Cb%3Ec%3Cd|Open>'}
    ${'javascript:alert(1)'}                       | ${null}
    ${'/console'}                                  | ${null}
    ${`https://strata.example/${'a'.repeat(600)}`} | ${null}
  `('of $address is $expected', ({ address, expected }) => {
    expect(formatLink(address, 'Open')).toBe(expected);
  });
});

/** Arbitrary text: all code points, lone surrogates, and strings that break chat messages. */
function anyText(): fc.Arbitrary<string> {
  const nasty = ['<!channel>', '&', '<', '>', '`', '*', '\ud83d', '😀', '\u0000', '\n', '<!date^1^x|y>', '|'];
  return fc
    .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme' })), { maxLength: 60 })
    .map((pieces) => pieces.join(''));
}
