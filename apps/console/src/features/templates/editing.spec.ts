import { editingStatus } from './editing.ts';

const BASE = { ledgerId: '1', body: 'old' };

describe('a template that is being edited', () => {
  it.each([
    ['is current if no other user saves it', { ledgerId: '1', body: 'old' }, 'mine', 'current'],
    ['moves to a version with the same text', { ledgerId: '2', body: 'old' }, 'mine', 'moved'],
    ['shows the new version if the user has changed nothing', { ledgerId: '2', body: 'theirs' }, 'old', 'moved'],
    ['counts as saved if the stored version has its text', { ledgerId: '2', body: 'mine' }, 'mine', 'moved'],
    ['conflicts with another text', { ledgerId: '2', body: 'theirs' }, 'mine', 'conflict'],
    ['reports that the template was deleted', null, 'mine', 'gone'],
  ] as const)('%s', (_, currentTemplate, text, status) => {
    expect(editingStatus(BASE, currentTemplate, text)).toBe(status);
  });
});
