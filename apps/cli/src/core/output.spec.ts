import { toOneLine } from './one-line.ts';
import { shownText } from './output.ts';

test('a text on one line shows line breaks, backslashes and hidden characters as escapes', () => {
  expect(toOneLine('a\r\n\tb\u001b[2Jc\u202Ed\u3164\ud800 \\n "e"')).toBe(
    'a\\r\\n\\tb\\u{1b}[2Jc\\u{202e}d\\u{3164}\\u{d800} \\\\n "e"',
  );
});

test('a shown text is shortened to a maximum length', () => {
  expect([shownText('12345', 5), shownText('123456', 5), shownText('123456')]).toEqual(['12345', '1234…', '123456']);
});
