import { withoutHidden } from './hidden-characters.ts';

test('hidden characters are spelled out, except those that are kept', () => {
  const lines = '~ A: "\u202E\u009B2K"\n~ B: "\u2028Rejected operations: 1"\n\t漢字 🙂';
  const spelled = '~ A: "\\u{202e}\\u{9b}2K"\n~ B: "\\u{2028}Rejected operations: 1"\n\\u{9}漢字 🙂';
  expect(withoutHidden(lines, '\n')).toBe(spelled);
});
