import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { Draft } from '../../lib/draft.ts';
import { selectColumns } from './grid-types.ts';
import { EnvironmentPaths, inheritedDraft } from './inherited-draft.ts';

const environment = (name: string, parentId: string | null) => ({ id: name, name, parentId, parentName: parentId });
const TREE = [
  environment('default', null),
  environment('production', 'default'),
  environment('canary', 'production'),
  environment('staging', 'default'),
];
const COLUMNS = selectColumns(TREE, undefined);

const cell = (states: ShownCell['states'], environmentName: string | null = null, projectName: string | null = null) =>
  ({ states, environmentName, projectName, text: 'x', raw: null }) as ShownCell;
const inherited = (from: string) => cell(['inherited'], from);
const OWN = cell(['own']);
const MISSING = cell(['missing']);
const row = (...cells: readonly ShownCell[]) => ({ name: 'PORT', parameterId: 'p', cells }) as unknown as MatrixRow;

const draftsIn = (environments: readonly string[]) =>
  new Map(environments.map((id) => [id, { environmentName: id } as Draft]));

/**
 * Returns, for each environment that inherits from a draft, the environment of that draft. `shown` contains the drafts of the project that
 * owns the parameter.
 */
function followers(
  line: MatrixRow,
  drafted: readonly string[],
  shownEnvironments: readonly string[] = [],
): Readonly<Record<string, string>> {
  const drafts = { ownDrafts: draftsIn(drafted), shown: draftsIn(shownEnvironments) };
  const paths = new EnvironmentPaths(TREE);
  const names = COLUMNS.map((column) => [column.name, inheritedDraft(line, column, drafts, paths)?.environmentName]);
  return Object.fromEntries(names.filter(([, draft]) => draft !== undefined));
}

describe('a draft', () => {
  it('is inherited by the cells that inherit from its cell', () => {
    const line = row(OWN, inherited('default'), inherited('default'), inherited('default'));
    expect(followers(line, ['production'])).toEqual({ canary: 'production' });
    expect(followers(line, ['default'])).toEqual({
      production: 'default',
      canary: 'default',
      staging: 'default',
    });
  });

  it('is not inherited by cells with their own value or a closer source', () => {
    expect(followers(row(OWN, OWN, inherited('production'), inherited('default')), ['default'])).toEqual({
      staging: 'default',
    });
  });

  it('is inherited instead of one that is further away', () => {
    const line = row(OWN, inherited('default'), inherited('default'), inherited('default'));
    expect(followers(line, ['default', 'production'])).toEqual({ canary: 'production', staging: 'default' });
  });

  it('overrides the value of another project in the same environment, but not in a closer one', () => {
    const inProject = cell(['inherited'], null, 'base');
    const childCell = cell(['inherited'], 'production', 'base');
    expect(followers(row(OWN, inProject, childCell, inherited('default')), ['production'])).toEqual({
      canary: 'production',
    });
    expect(followers(row(OWN, inProject, childCell, inherited('default')), ['default'])).toEqual({
      staging: 'default',
    });
  });

  it('is inherited by cells without a value, but not by forbidden ones', () => {
    expect(followers(row(MISSING, MISSING, MISSING, cell(['closed'])), ['default'])).toEqual({
      production: 'default',
      canary: 'default',
    });
  });

  it('of the owning project is inherited by dependent projects, also in the same environment', () => {
    const there = (from: string | null) => cell(['inherited'], from, 'base');
    const line = row(there(null), there(null), there('production'), there('default'));
    expect(followers(line, [], ['production'])).toEqual({ production: 'production', canary: 'production' });
    expect(followers(line, [], ['default'])).toEqual({ default: 'default', staging: 'default' });
    expect(followers(line, ['production'], ['production'])).toEqual({ canary: 'production' });
  });
});
