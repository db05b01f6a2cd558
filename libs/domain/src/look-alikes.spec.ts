import fc from 'fast-check';
import { asciiPrototypes, computeSkeleton, escapeInvisible, findLookAlike, invisibleCharacter } from './look-alikes.ts';

describe('invisibleCharacter', () => {
  it.each`
    what                                     | name                         | found
    ${'a plain name'}                        | ${'DB_HOST'}                 | ${null}
    ${'blanks, slashes and dots'}            | ${'a/b c.D-e_f'}             | ${null}
    ${'other scripts'}                       | ${'größe ポート 서버 متغير'} | ${null}
    ${'a zero width space'}                  | ${'a\u200bb'}                | ${'U+200B'}
    ${'a soft hyphen'}                       | ${'a\u00adb'}                | ${'U+00AD'}
    ${'a word joiner'}                       | ${'a\u2060b'}                | ${'U+2060'}
    ${'a byte order mark'}                   | ${'a\ufeffb'}                | ${'U+FEFF'}
    ${'an override of the direction'}        | ${'a\u202eb'}                | ${'U+202E'}
    ${'an isolate'}                          | ${'a\u2066b'}                | ${'U+2066'}
    ${'a mark of the direction'}             | ${'a\u200fb'}                | ${'U+200F'}
    ${'a line separator'}                    | ${'a\u2028b'}                | ${'U+2028'}
    ${'a filler of Hangul'}                  | ${'a\u3164b'}                | ${'U+3164'}
    ${'a blank of Braille'}                  | ${'a\u2800b'}                | ${'U+2800'}
    ${'a variation selector after a letter'} | ${'a\ufe0f'}                 | ${'U+FE0F'}
    ${'a tag character'}                     | ${'a\u{e0041}'}              | ${'U+E0041'}
    ${'a joiner between Latin letters'}      | ${'a\u200db'}                | ${'U+200D'}
    ${'a joiner in a Persian word'}          | ${'می\u200cخواهم'}           | ${null}
    ${'a joiner in a word of Devanagari'}    | ${'क्\u200dष'}                | ${null}
    ${'a joiner at the end of such a word'}  | ${'می\u200c'}                | ${'U+200C'}
    ${'an emoji with a selector'}            | ${'love ❤️'}                 | ${null}
    ${'a family'}                            | ${'👨‍👩‍👧'}                      | ${null}
    ${'the flag of Scotland'}                | ${'🏴󠁧󠁢󠁳󠁣󠁴󠁿'}                      | ${null}
  `('$what: $found', ({ name, found }) => {
    expect(invisibleCharacter(name)).toBe(found);
  });
});

describe('visibleName', () => {
  it('shows the code points of invisible characters', () => {
    expect(escapeInvisible('a\u200bb\u202e größe')).toBe('a[U+200B]b[U+202E] größe');
  });
});

describe('computeSkeleton', () => {
  it.each`
    left                        | right         | isSame
    ${'ﬁle'}                    | ${'file'}     | ${true}
    ${'раураl'}                 | ${'paypal'}   | ${true}
    ${'a\u200bb'}               | ${'ab'}       | ${true}
    ${'größe'.normalize('NFD')} | ${'größe'}    | ${true}
    ${'ＰＯＲＴ'}               | ${'PORT'}     | ${true}
    ${'a\u00a0b'}               | ${'a b'}      | ${true}
    ${'１'}                     | ${'l'}        | ${true}
    ${'größe'}                  | ${'grosse'}   | ${false}
    ${'naïve'}                  | ${'naive'}    | ${false}
    ${'サーバー'}               | ${'サービス'} | ${false}
    ${'порт'}                   | ${'порты'}    | ${false}
    ${'PORT'}                   | ${'port'}     | ${false}
  `('of $left and $right is the same: $isSame', ({ left, right, isSame }) => {
    expect(computeSkeleton(left) === computeSkeleton(right)).toBe(isSame);
  });

  it('of ASCII text follows from the prototypes, in any order of replacement', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii' }),
        fc.shuffledSubarray([...asciiPrototypes()]),
        (text, shuffled) => {
          const all = [...shuffled, ...asciiPrototypes()];
          expect(all.reduce((folded, [from, to]) => folded.replaceAll(from, to), text)).toBe(computeSkeleton(text));
        },
      ),
    );
  });
});

describe('lookAlikeIn', () => {
  it.each`
    what                                     | names                 | taken               | other
    ${'nothing alike'}                       | ${['port']}           | ${['host']}         | ${undefined}
    ${'the same name'}                       | ${['größe']}          | ${['größe']}        | ${undefined}
    ${'a ligature beside letters'}           | ${['ﬁle']}            | ${['file']}         | ${'file'}
    ${'letters beside a ligature'}           | ${['file']}           | ${['ﬁle']}          | ${'ﬁle'}
    ${'two new names'}                       | ${['file', 'ﬁle']}    | ${[]}               | ${'file'}
    ${'plain names with 1 and l'}            | ${['DB_HOST1']}       | ${['DB_HOSTl']}     | ${undefined}
    ${'plain names with O and 0'}            | ${['O0', '0O', 'OO']} | ${['00']}           | ${undefined}
    ${'plain names with rn and m'}           | ${['form']}           | ${['forrn']}        | ${undefined}
    ${'a plain name beside several others'}  | ${['l']}              | ${['1', 'I', '１']} | ${'１'}
    ${'different names of one other script'} | ${['порт', 'хост']}   | ${['имя']}          | ${undefined}
  `('$what: $other', ({ names, taken, other }) => {
    expect(findLookAlike(names, taken)?.lookAlike).toBe(other);
  });
});
