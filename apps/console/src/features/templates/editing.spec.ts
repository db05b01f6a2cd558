import { editingStatus } from './editing.ts';

const BASE = { ledgerId: '1', body: 'old' };

describe('a text that is being written', () => {
  it.each([
    ['is current while nobody else writes', { ledgerId: '1', body: 'old' }, 'mine', 'current'],
    ['goes on from a version that says the same', { ledgerId: '2', body: 'old' }, 'mine', 'moved'],
    ['gives way where nothing was written yet', { ledgerId: '2', body: 'theirs' }, 'old', 'moved'],
    ['is saved where what is stored says just that', { ledgerId: '2', body: 'mine' }, 'mine', 'moved'],
    ['is in conflict with another text', { ledgerId: '2', body: 'theirs' }, 'mine', 'conflict'],
    ['has nowhere to go when the template is gone', null, 'mine', 'gone'],
  ] as const)('%s', (_, present, text, standing) => {
    expect(editingStatus(BASE, present, text)).toBe(standing);
  });
});
