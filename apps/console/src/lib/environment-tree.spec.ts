import { asTree, type ListedEnvironment } from './environment-tree.ts';

const row = (name: string, parentId: string | null): ListedEnvironment => ({ id: name, name, parentId });
const names = (rows: readonly ListedEnvironment[]) => asTree(rows).map(({ name }) => name);

describe('columns of environments', () => {
  it('follow their parents, siblings by name', () => {
    const rows = [
      row('canary', 'production'),
      row('staging', 'default'),
      row('default', null),
      row('production', 'default'),
    ];

    expect(names(rows)).toEqual(['default', 'production', 'canary', 'staging']);
    expect(asTree(rows).map(({ parentName }) => parentName)).toEqual([null, 'default', 'production', 'default']);
  });

  it('are shown even if their parent is not', () => {
    expect(names([row('canary', 'hidden'), row('default', null)])).toEqual(['canary', 'default']);
  });

  it('are empty without environments', () => {
    expect(asTree([])).toEqual([]);
  });
});
