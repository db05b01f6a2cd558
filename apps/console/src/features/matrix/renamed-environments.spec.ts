import { renameInSearch } from './renamed-environments.ts';

const BEFORE = [
  { id: 'p', name: 'production' },
  { id: 's', name: 'staging' },
];
const NOW = [
  { id: 'p', name: 'live' },
  { id: 's', name: 'staging' },
];

describe('a URL that names environments', () => {
  it('follows a renamed environment', () => {
    expect(
      renameInSearch({ env: 'production', in: 'production', envs: ['staging', 'production'] }, BEFORE, NOW),
    ).toEqual({
      env: 'live',
      in: 'live',
      envs: ['staging', 'live'],
    });
    expect(renameInSearch({ in: 'production' }, BEFORE, NOW)).toEqual({ in: 'live' });
    expect(renameInSearch({ pin: ['production'], width: ['production:80', 'x'] }, BEFORE, NOW)).toEqual({
      pin: ['live'],
      width: ['live:80'],
    });
  });

  it('does not change if none of its environments was renamed, or if one was deleted', () => {
    expect(renameInSearch({ env: 'staging' }, BEFORE, NOW)).toBeNull();
    expect(renameInSearch({}, BEFORE, NOW)).toBeNull();
    expect(renameInSearch({ in: 'staging', envs: ['staging'] }, BEFORE, [{ id: 'p', name: 'live' }])).toBeNull();
  });

  it('refers to the environment that has the name now, if another one took it', () => {
    const swapped = [...NOW, { id: 'n', name: 'production' }];
    expect(renameInSearch({ in: 'production' }, BEFORE, swapped)).toBeNull();
  });
});
