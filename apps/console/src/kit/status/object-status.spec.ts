import { objectStatusOf } from './object-status.ts';

const web = { id: '1', name: 'web' };

describe('what a page is about', () => {
  it('is found by the name in the address', () => {
    expect(objectStatusOf([web], 'web', null)).toEqual({ kind: 'here', row: web });
    expect(objectStatusOf([web], 'shop', null)).toEqual({ kind: 'unknown' });
  });

  it('is followed when it is called otherwise, whatever has its name by now', () => {
    const renamed = { id: '1', name: 'shop' };

    expect(objectStatusOf([renamed, { id: '2', name: 'web' }], 'web', web)).toEqual({ kind: 'renamed', row: renamed });
  });

  it('is gone when nothing has its id or its name', () => {
    expect(objectStatusOf([{ id: '2', name: 'shop' }], 'web', web)).toEqual({ kind: 'gone' });
  });

  it('is the one that was made anew under its name', () => {
    const anew = { id: '2', name: 'web' };

    expect(objectStatusOf([anew], 'web', web)).toEqual({ kind: 'here', row: anew });
  });

  it('is another one where the address has changed', () => {
    const shop = { id: '2', name: 'shop' };

    expect(objectStatusOf([web, shop], 'shop', web)).toEqual({ kind: 'here', row: shop });
  });
});
