import { withVisibleCharacters } from './visible-characters.ts';

it.each`
  text                       | shown
  ${'plain, größe, 写真 👩‍🚀'} | ${'plain, größe, 写真 👩‍🚀'}
  ${'שלום and مرحبا'}        | ${'שלום and مرحبا'}
  ${'two\nlines\tand tabs'}  | ${'two\nlines\tand tabs'}
  ${'abc\u202Egpj.exe'}      | ${'abc⟨U+202E⟩gpj.exe'}
  ${'\u2069\u2066\u200f'}    | ${'⟨U+2069⟩⟨U+2066⟩⟨U+200F⟩'}
  ${'a\u0007b\u0085'}        | ${'a⟨U+0007⟩b⟨U+0085⟩'}
  ${'zero\u200bwidth'}       | ${'zero⟨U+200B⟩width'}
`('$text is shown as $shown', ({ text, shown }) => {
  expect(withVisibleCharacters(text)).toBe(shown);
});
