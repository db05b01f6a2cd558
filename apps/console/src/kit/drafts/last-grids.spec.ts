import { clearLastGrids, lastCell, lastOpenedGrid, rememberCell, rememberGrid } from './last-grids.ts';

const draftIn = (projectId: string) => ({ projectId, projectName: `name of ${projectId}` });

describe('the last matrix', () => {
  beforeEach(clearLastGrids);

  it('is the one that was opened last, of a project with drafts', () => {
    for (const id of ['a', 'b', 'a', 'c']) rememberGrid(id, { q: id });

    expect(lastOpenedGrid([draftIn('b'), draftIn('a')])).toMatchObject({
      params: { name: 'name of a' },
      search: { q: 'a' },
    });
  });

  it('opens the current revision', () => {
    rememberGrid('a', { q: 'PORT', at: '12' });

    expect(lastOpenedGrid([draftIn('a')]).search).toEqual({ q: 'PORT' });
  });

  it('is cleared with its filter and its last cell', () => {
    rememberGrid('a', { q: 'PORT' });
    rememberCell('a', { cell: 'PORT', in: 'default', row: 3, rowsKey: '' });
    clearLastGrids();

    expect(lastOpenedGrid([draftIn('a')]).search).toEqual({});
    expect(lastCell('a')).toBeNull();
  });
});
