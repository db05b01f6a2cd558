import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { Draft } from '../../lib/draft.ts';
import { columnsOf } from './grid-types.ts';
import { EnvironmentPaths, inheritedDraft } from './inherited-draft.ts';

const environment = (name: string, parentId: string | null) => ({ id: name, name, parentId, parentName: parentId });
const TREE = [
  environment('default', null),
  environment('production', 'default'),
  environment('canary', 'production'),
  environment('staging', 'default'),
];
const COLUMNS = columnsOf(TREE, undefined);

const cell = (states: ShownCell['states'], environmentName: string | null = null, projectName: string | null = null) =>
  ({ states, environmentName, projectName, text: 'x', raw: null }) as ShownCell;
const inherited = (from: string) => cell(['inherited'], from);
const OWN = cell(['own']);
const MISSING = cell(['missing']);
const row = (...cells: readonly ShownCell[]) => ({ name: 'PORT', parameterId: 'p', cells }) as unknown as MatrixRow;

const draftsIn = (environments: readonly string[]) =>
  new Map(environments.map((id) => [id, { environmentName: id } as Draft]));

/** Returns the environments that would inherit from drafts, by the draft. `shown` are drafts of the project that owns the parameter. */
function followers(
  line: MatrixRow,
  drafted: readonly string[],
  shown: readonly string[] = [],
): Readonly<Record<string, string>> {
  const drafts = { own: draftsIn(drafted), shown: draftsIn(shown) };
  const paths = new EnvironmentPaths(TREE);
  const found = COLUMNS.map((column) => [column.name, inheritedDraft(line, column, drafts, paths)?.environmentName]);
  return Object.fromEntries(found.filter(([, draft]) => draft !== undefined));
}

describe('a draft', () => {
  it('is followed by what inherits from where it was made', () => {
    const line = row(OWN, inherited('default'), inherited('default'), inherited('default'));
    expect(followers(line, ['production'])).toEqual({ canary: 'production' });
    expect(followers(line, ['default'])).toEqual({
      production: 'default',
      canary: 'default',
      staging: 'default',
    });
  });

  it('is not followed by what has a value of its own, nor by what inherits from nearer', () => {
    expect(followers(row(OWN, OWN, inherited('production'), inherited('default')), ['default'])).toEqual({
      staging: 'default',
    });
  });

  it('is followed before one that is further away', () => {
    const line = row(OWN, inherited('default'), inherited('default'), inherited('default'));
    expect(followers(line, ['default', 'production'])).toEqual({ canary: 'production', staging: 'default' });
  });

  it('goes before what another project says in the same environment, and not in a nearer one', () => {
    const other = cell(['inherited'], null, 'base');
    const below = cell(['inherited'], 'production', 'base');
    expect(followers(row(OWN, other, below, inherited('default')), ['production'])).toEqual({ canary: 'production' });
    expect(followers(row(OWN, other, below, inherited('default')), ['default'])).toEqual({ staging: 'default' });
  });

  it('is followed where nothing is set, and nowhere that is closed', () => {
    expect(followers(row(MISSING, MISSING, MISSING, cell(['closed'])), ['default'])).toEqual({
      production: 'default',
      canary: 'default',
    });
  });

  it('of the project that has the parameter is followed by who depends on it, also in the same environment', () => {
    const there = (from: string | null) => cell(['inherited'], from, 'base');
    const line = row(there(null), there(null), there('production'), there('default'));
    expect(followers(line, [], ['production'])).toEqual({ production: 'production', canary: 'production' });
    expect(followers(line, [], ['default'])).toEqual({ default: 'default', staging: 'default' });
    expect(followers(line, ['production'], ['production'])).toEqual({ canary: 'production' });
  });
});
