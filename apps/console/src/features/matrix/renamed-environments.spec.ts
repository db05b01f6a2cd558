import { renamedIn } from './renamed-environments.ts';

const BEFORE = [
  { id: 'p', name: 'production' },
  { id: 's', name: 'staging' },
];
const NOW = [
  { id: 'p', name: 'live' },
  { id: 's', name: 'staging' },
];

describe('an address that names environments', () => {
  it('follows one that is called otherwise now', () => {
    expect(renamedIn({ env: 'production', in: 'production', envs: ['staging', 'production'] }, BEFORE, NOW)).toEqual({
      env: 'live',
      in: 'live',
      envs: ['staging', 'live'],
    });
    expect(renamedIn({ in: 'production' }, BEFORE, NOW)).toEqual({ in: 'live' });
  });

  it('stays as it is where nothing that it names has another name, or is gone', () => {
    expect(renamedIn({ env: 'staging' }, BEFORE, NOW)).toBeNull();
    expect(renamedIn({}, BEFORE, NOW)).toBeNull();
    expect(renamedIn({ in: 'staging', envs: ['staging'] }, BEFORE, [{ id: 'p', name: 'live' }])).toBeNull();
  });

  it('means the one that has the name now, if another one took it', () => {
    const swapped = [...NOW, { id: 'n', name: 'production' }];
    expect(renamedIn({ in: 'production' }, BEFORE, swapped)).toBeNull();
  });
});
