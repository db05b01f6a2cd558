import { counted, oneLine, shownText, withoutHidden } from './output.ts';

test('a text on one line shows control and format characters as escapes', () => {
  expect(oneLine('a\nb\u001b[2Jc\u202Ed "e"')).toBe('a\\nb\\u001b[2Jc\\u{202e}d "e"');
});

test('lines keep their line breaks, and show other characters that are hidden or break lines as escapes', () => {
  const lines = '~ A: "\u202E\u009B2K"\n~ B: "\u2028Rejected operations: 1"\n';
  expect(withoutHidden(lines)).toBe('~ A: "\\u{202e}\\u{9b}2K"\n~ B: "\\u{2028}Rejected operations: 1"\n');
});

test('a shown text is shortened to a maximum length', () => {
  expect([shownText('12345', 5), shownText('123456', 5), shownText('123456')]).toEqual(['12345', '1234…', '123456']);
});

test('a number agrees with its noun', () => {
  expect([counted(0, 'name'), counted(1, 'name'), counted(2, 'name')]).toEqual(['0 names', '1 name', '2 names']);
});
