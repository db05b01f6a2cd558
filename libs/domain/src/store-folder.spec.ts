import { listFolder } from './store-folder.ts';

const PATHS = ['r/s/HOST', 'r/s/shop/a', 'r/s/shop/b', 'r/s/shop', 'r/s//shop/c', 'r/s2/other'];
const show = (folder: string, paths = PATHS) =>
  listFolder(paths, folder).map(({ path, name, isFolder }) => [path, name, isFolder ? 'folder' : 'key']);

describe('listFolder', () => {
  it('returns each folder once, beside a key with the same path', () => {
    expect(show('r/s')).toEqual([
      ['r/s/HOST', 'HOST', 'key'],
      ['r/s//shop', 'shop', 'folder'],
      ['r/s/shop', 'shop', 'folder'],
      ['r/s/shop', 'shop', 'key'],
    ]);
  });

  it('returns only what is below the folder', () => {
    expect(show('r/s/shop').map(([path]) => path)).toEqual(['r/s/shop/a', 'r/s/shop/b']);
    expect(show('r/s//shop')).toEqual([['r/s//shop/c', 'c', 'key']]);
    expect(show('', ['b', 'a'])).toEqual([
      ['a', 'a', 'key'],
      ['b', 'b', 'key'],
    ]);
  });

  it('leaves out paths that have no name', () => {
    expect(show('r/s', ['r/s/', 'r/s///'])).toEqual([]);
  });
});
