import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import { selectColumns } from './grid-types.ts';
import { EnvironmentPaths } from './inherited-draft.ts';
import { describeRemoval } from './removal.ts';

const environment = (name: string, parentId: string | null) => ({ id: name, name, parentId, parentName: parentId });
const TREE = [
  environment('default', null),
  environment('production', 'default'),
  environment('canary', 'production'),
  environment('staging', 'default'),
];

type Next = NonNullable<ShownCell['next']>;
const next = (
  state: Next['state'],
  environmentName: string | null = null,
  projectName: string | null = null,
): Next => ({
  state,
  text: state === 'set' ? `of ${environmentName}` : null,
  environmentName,
  projectName,
});
const ownCell = (next: Next) => ({ states: ['own'], environmentName: null, next }) as unknown as ShownCell;
const inherited = (from: string) =>
  ({ states: ['inherited'], environmentName: from, next: null }) as unknown as ShownCell;
const CLOSED = { states: ['closed'], environmentName: null, next: null } as unknown as ShownCell;

const UNSET: DraftEdit = { kind: 'unset' };

/** Returns the effect of removing the value of an environment, if the row has these cells and these drafts. */
function removing(
  environmentId: string,
  cells: Readonly<Record<string, ShownCell>>,
  edits: Readonly<Record<string, DraftEdit>> = {},
) {
  const drafts = new Map(
    Object.entries({ [environmentId]: UNSET, ...edits }).map(([id, edit]) => [
      id,
      { environmentId: id, edit } as Draft,
    ]),
  );
  const columns = selectColumns(TREE, Object.keys(cells));
  const line = { name: 'PORT', cells: columns.map(({ name }) => cells[name]) } as unknown as MatrixRow;
  const context = { environments: TREE, columns, paths: new EnvironmentPaths(TREE) };
  return describeRemoval(line, drafts.get(environmentId) as Draft, { ownDrafts: drafts, shown: new Map() }, context);
}

const ROOT_ONLY = {
  default: ownCell(next('unset')),
  production: inherited('default'),
  canary: inherited('default'),
  staging: inherited('default'),
};
const OVERRIDDEN = { ...ROOT_ONLY, production: ownCell(next('set', 'default')), canary: inherited('production') };

describe('the removal of a value', () => {
  it('leaves nothing in all environments that inherit it, and counts them', () => {
    expect(removing('default', ROOT_ONLY)).toEqual({ kind: 'nothing', count: 4, isAll: true });
    expect(removing('default', OVERRIDDEN)).toEqual({ kind: 'nothing', count: 2, isAll: true });
  });

  it('knows only some of these environments if others are hidden or forbidden', () => {
    const { default: root, staging } = ROOT_ONLY;
    expect(removing('default', { default: root, staging })).toEqual({ kind: 'nothing', count: 2, isAll: false });
    expect(removing('default', { ...ROOT_ONLY, canary: CLOSED })).toEqual({ kind: 'nothing', count: 3, isAll: false });
  });

  it('leaves the value that is inherited instead, also if its column is hidden', () => {
    const effect = { kind: 'inherits', text: 'of default', from: 'default' };
    expect(removing('production', OVERRIDDEN)).toEqual(effect);
    expect(removing('production', { production: OVERRIDDEN.production })).toEqual(effect);
  });

  it('leaves the value of another project in the same environment', () => {
    const cells = { ...ROOT_ONLY, default: ownCell(next('NULL', null, 'base')) };
    expect(removing('default', cells, {})).toEqual({ kind: 'inherits', text: null, from: 'default' });
  });

  it('leaves nothing if the value that would be inherited is removed, too', () => {
    expect(removing('production', OVERRIDDEN, { default: UNSET })).toEqual({ kind: 'nothing', count: 2, isAll: true });
  });

  it('leaves a draft of the nearest environment', () => {
    const edit: DraftEdit = { kind: 'set', text: '443', dynamic: false };
    expect(
      removing('canary', { ...OVERRIDDEN, canary: ownCell(next('set', 'production')) }, { production: edit }),
    ).toEqual({
      kind: 'draft',
      draft: { environmentId: 'production', edit },
    });
    expect(removing('production', OVERRIDDEN, { default: edit })).toMatchObject({ kind: 'draft' });
  });

  it('is unknown if it depends on a hidden or forbidden cell', () => {
    expect(removing('production', { production: ownCell(next('closed')) })).toEqual({ kind: 'unknown' });
    const hidden = { production: OVERRIDDEN.production };
    expect(removing('production', hidden, { default: UNSET })).toEqual({ kind: 'unknown' });
  });
});
