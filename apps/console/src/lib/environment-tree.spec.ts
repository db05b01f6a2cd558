import { asTree, countDescendants, type ListedEnvironment, withoutCollapsed } from './environment-tree.ts';

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

describe('descendants', () => {
  it('are counted on all levels', () => {
    const rows = asTree([
      row('default', null),
      row('pr', 'default'),
      row('pr-1', 'pr'),
      row('pr-2', 'pr'),
      row('pr-3', 'pr-2'),
    ]);

    expect(Object.fromEntries(countDescendants(rows))).toEqual({ default: 4, pr: 3, 'pr-2': 1 });
    expect(countDescendants(rows, new Set(['pr', 'pr-3'])).get('default')).toBe(2);
  });
});

describe('collapsed environments', () => {
  const rows = asTree([
    row('default', null),
    row('previews', 'default'),
    row('pr-1', 'previews'),
    row('pr-1-canary', 'pr-1'),
    row('pr-2', 'previews'),
    row('staging', 'default'),
  ]);

  test.each`
    collapsed                 | kept               | shown
    ${[]}                     | ${[]}              | ${['default', 'previews', 'pr-1', 'pr-1-canary', 'pr-2', 'staging']}
    ${['previews']}           | ${[]}              | ${['default', 'previews', 'staging']}
    ${['pr-1']}               | ${[]}              | ${['default', 'previews', 'pr-1', 'pr-2', 'staging']}
    ${['previews', 'pr-1']}   | ${['pr-1-canary']} | ${['default', 'previews', 'pr-1-canary', 'staging']}
    ${['default']}            | ${[]}              | ${['default']}
    ${['staging', 'unknown']} | ${[]}              | ${['default', 'previews', 'pr-1', 'pr-1-canary', 'pr-2', 'staging']}
  `('$collapsed with $kept kept shows $shown', ({ collapsed, kept, shown }) => {
    expect(withoutCollapsed(rows, new Set(collapsed), new Set(kept)).map(({ name }) => name)).toEqual(shown);
  });
});
