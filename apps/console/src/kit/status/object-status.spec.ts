import { findObjectStatus } from './object-status.ts';

const web = { id: '1', name: 'web' };

describe('the object of a page', () => {
  it('is found by the name in the URL', () => {
    expect(findObjectStatus([web], 'web', null)).toEqual({ kind: 'here', row: web });
    expect(findObjectStatus([web], 'shop', null)).toEqual({ kind: 'unknown' });
  });

  it('is followed after it was renamed, even if another object has its name', () => {
    const renamed = { id: '1', name: 'shop' };

    expect(findObjectStatus([renamed, { id: '2', name: 'web' }], 'web', web)).toEqual({
      kind: 'renamed',
      row: renamed,
    });
  });

  it('is deleted if no object has its id or name', () => {
    expect(findObjectStatus([{ id: '2', name: 'shop' }], 'web', web)).toEqual({ kind: 'gone' });
  });

  it('is the new object with its name after a deletion', () => {
    const anew = { id: '2', name: 'web' };

    expect(findObjectStatus([anew], 'web', web)).toEqual({ kind: 'here', row: anew });
  });

  it('changes with the URL', () => {
    const shop = { id: '2', name: 'shop' };

    expect(findObjectStatus([web, shop], 'shop', web)).toEqual({ kind: 'here', row: shop });
  });
});
