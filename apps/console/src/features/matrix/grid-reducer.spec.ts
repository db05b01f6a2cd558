import * as fc from 'fast-check';
import type { MatrixRow } from '../../data/cell.ts';
import type { MatrixRequest } from '../../data/matrix.ts';
import { follow, initialState, reduce } from './grid-reducer.ts';
import {
  createRowsKey,
  type GridCommand,
  type GridEditing,
  type GridRows,
  type GridState,
  hasSelection,
  isActiveExplained,
  rangeAt,
  selectedRange,
} from './grid-state.ts';
import { selectColumns } from './grid-types.ts';
import { GridLines } from './matrix-rows.ts';

interface RowsOptions {
  readonly environments?: readonly string[];
  readonly q?: string;
  /** The first row that is loaded. */
  readonly loadedFrom?: number;
  readonly isPending?: boolean;
  readonly groups?: readonly { readonly prefix: string | null; readonly count: number }[];
  readonly collapsed?: readonly string[];
}

const requests = new Map<string, MatrixRequest>();

/** Returns the same request for the same columns and filter, as the page does. */
function requestFor(environmentIds: readonly string[], q: string): MatrixRequest {
  const request = { projectId: 'web', environmentIds, q } as MatrixRequest;
  return requests.getOrInsert(JSON.stringify(request), request);
}

/** Returns the rows of these parameters. */
function createRows(names: readonly string[], options: RowsOptions = {}): GridRows {
  const { environments = ['a', 'b', 'c'], q = '', loadedFrom = 0, isPending = false, groups = null } = options;
  const loaded = (row: number) => !isPending && row >= loadedFrom && names[row] !== undefined;
  return {
    question: requestFor(environments, q),
    lines: new GridLines({ ownCount: names.length, total: names.length, groups }, new Set(options.collapsed)),
    isPending,
    columns: selectColumns(environments.map((name) => ({ id: name, name, parentId: null, parentName: null }))),
    rowAt: (row) => (loaded(row) ? ({ name: names[row], parameterId: names[row] } as MatrixRow) : undefined),
    findRow: (name) => (loaded(names.indexOf(name)) ? names.indexOf(name) : null),
  };
}

const NAMES = ['A', 'B', 'C', 'D', 'E'];
const GROUPS = [
  { prefix: 'G', count: 2 },
  { prefix: null, count: 3 },
];
const at = (row: number, column = 0) => ({ row, column });
const moveTo = (row: number, column = 0): GridCommand => ({ kind: 'moveTo', position: at(row, column) });
const move = (rows: number, columns = 0): GridCommand => ({ kind: 'move', rows, columns });
const extend = (rows: number, columns = 0): GridCommand => ({ kind: 'extend', rows, columns });
const TOGGLE: GridCommand = { kind: 'toggleRow' };
const EXPLAIN: GridCommand = { kind: 'explain' };
const CLOSE: GridCommand = { kind: 'close' };
const WARNING: GridCommand = { kind: 'report', message: { kind: 'warning', text: 'Read-only' } };
const NOTICE: GridCommand = { kind: 'report', message: { kind: 'notice', text: 'Copied' } };
const EDITING = { mode: 'cell' } as GridEditing;
const OPEN_EDITOR: GridCommand = { kind: 'openEditor', editing: EDITING };

/** Returns the state after some commands on the same rows. */
const after = (commands: readonly GridCommand[], rows = createRows(NAMES), from = initialState(rows, null, null)) =>
  commands.reduce((state, command) => reduce(state, command, rows), from);

/** Describes a state in words, such as `C a, rows B-C`. */
function describeState(state: GridState): string {
  const { active, rows, selection, explained, editing, message } = state;
  const group = active.onGroup ? 'group of ' : '';
  const range = selectedRange(state);
  const spans = range.spans.map(({ top, bottom }) => (top === bottom ? NAMES[top] : `${NAMES[top]}-${NAMES[bottom]}`));
  const columns = `${rows.columns[range.left]?.name}-${rows.columns[range.right]?.name}`;
  const selected = selection?.kind === 'ended' ? 'ended' : `${spans.join('+')} ${columns}`;
  return [
    `${group}${rows.rowAt(active.row)?.name} ${rows.columns[active.column]?.name}`,
    hasSelection(state) || selection?.kind === 'ended' ? `${selection?.kind} ${selected}` : null,
    explained && `explains ${explained.cell} ${explained.in}`,
    editing && 'edits',
    message?.text,
  ]
    .filter(Boolean)
    .join(', ');
}

describe('a command changes the state of the grid', () => {
  it.each`
    commands                                                                                        | state
    ${[]}                                                                                           | ${'A a'}
    ${[move(1), move(1, 1)]}                                                                        | ${'C b'}
    ${[move(-9), move(0, 9)]}                                                                       | ${'A c'}
    ${[moveTo(3, 1), move(99)]}                                                                     | ${'E b'}
    ${[moveTo(1, 1), extend(1), extend(0, 1)]}                                                      | ${'C c, cells B-C b-c'}
    ${[moveTo(1, 1), extend(1), extend(-2)]}                                                        | ${'A b, cells A-B b-b'}
    ${[moveTo(1, 1), extend(1), moveTo(2, 1)]}                                                      | ${'C b, cells B-C b-b'}
    ${[moveTo(1, 1), extend(1), move(1)]}                                                           | ${'D b'}
    ${[moveTo(1), { kind: 'extendTo', position: at(3, 1) }]}                                        | ${'D b, cells B-D a-b'}
    ${[{ kind: 'extendTo', position: at(3, 1), anchor: at(4, 2) }]}                                 | ${'D b, cells D-E b-c'}
    ${[moveTo(2, 1), { kind: 'selectAll' }]}                                                        | ${'C b, cells A-E a-c'}
    ${[moveTo(2, 1), extend(1), { kind: 'selectRows' }]}                                            | ${'D b, cells C-D a-c'}
    ${[moveTo(1), TOGGLE, moveTo(3), TOGGLE]}                                                       | ${'D a, rows B+D a-c'}
    ${[moveTo(1), TOGGLE, moveTo(3), { ...TOGGLE, isRange: true }]}                                 | ${'D a, rows B-D a-c'}
    ${[moveTo(3), TOGGLE, ...[1, 2].flatMap((row) => [moveTo(row), { ...TOGGLE, isRange: true }])]} | ${'C a, rows D a-c'}
    ${[moveTo(1), TOGGLE, moveTo(4)]}                                                               | ${'E a, rows B a-c'}
    ${[moveTo(1), TOGGLE, TOGGLE]}                                                                  | ${'B a'}
    ${[moveTo(1), TOGGLE, extend(1)]}                                                               | ${'C a, cells B-C a-a'}
    ${[{ kind: 'toggleAllRows' }, moveTo(2), TOGGLE]}                                               | ${'C a, rows A-B+D-E a-c'}
    ${[{ kind: 'toggleAllRows' }, { kind: 'toggleAllRows' }]}                                       | ${'A a'}
    ${[moveTo(1), TOGGLE, { kind: 'clearSelection' }]}                                              | ${'B a'}
    ${[EXPLAIN]}                                                                                    | ${'A a, explains A a'}
    ${[EXPLAIN, move(1, 1)]}                                                                        | ${'B b, explains B b'}
    ${[EXPLAIN, move(1), EXPLAIN]}                                                                  | ${'B a'}
    ${[EXPLAIN, extend(1), CLOSE]}                                                                  | ${'B a, explains B a'}
    ${[EXPLAIN, extend(1), CLOSE, CLOSE]}                                                           | ${'B a'}
    ${[EXPLAIN, extend(1), { kind: 'closeExplanation' }]}                                           | ${'B a, cells A-B a-a'}
    ${[EXPLAIN, { kind: 'openLink', names: { cell: 'D', in: 'c' } }]}                               | ${'D c, explains D c'}
    ${[extend(1), { kind: 'openLink', names: { cell: 'D', in: 'c' } }]}                             | ${'D c, explains D c'}
    ${[EXPLAIN, { kind: 'openLink', names: null }]}                                                 | ${'A a'}
    ${[OPEN_EDITOR]}                                                                                | ${'A a, edits'}
    ${[OPEN_EDITOR, { kind: 'finishEditing', focus: 'leave' }]}                                     | ${'A a'}
    ${[moveTo(1, 1), OPEN_EDITOR, { kind: 'finishEditing', focus: 'down' }]}                        | ${'C b'}
    ${[moveTo(1, 1), OPEN_EDITOR, { kind: 'finishEditing', focus: 'left' }]}                        | ${'B a'}
    ${[extend(1), OPEN_EDITOR, { kind: 'finishEditing', focus: 'stay' }]}                           | ${'B a, cells A-B a-a'}
    ${[WARNING]}                                                                                    | ${'A a, Read-only'}
    ${[WARNING, moveTo(0)]}                                                                         | ${'A a'}
    ${[WARNING, { kind: 'endNotice' }]}                                                             | ${'A a, Read-only'}
    ${[NOTICE, { kind: 'endNotice' }]}                                                              | ${'A a'}
    ${[NOTICE, { kind: 'selectAll' }]}                                                              | ${'A a, cells A-E a-c'}
  `('$state', ({ commands, state }) => {
    expect(describeState(after(commands))).toBe(state);
  });

  it('keeps the cell below the pointer until the active cell moves', () => {
    const hovered = after([{ kind: 'hover', position: at(3, 2) }, EXPLAIN]);
    expect(hovered.hovered).toEqual(at(3, 2));
    expect(after([move(1)], hovered.rows, hovered).hovered).toBeNull();
  });

  it('selects the rows of a group on its line, and skips the line when a range is extended', () => {
    const rows = createRows(NAMES, { groups: GROUPS });
    const onGroup = after([{ kind: 'moveTo', position: { ...at(0), onGroup: true } }], rows);
    expect(describeState(onGroup)).toBe('group of A a');
    expect(describeState(after([move(1)], rows, onGroup))).toBe('A a');
    for (const command of [TOGGLE, EXPLAIN, { kind: 'selectRows' } as const]) {
      expect(describeState(after([command], rows, onGroup))).toBe('group of A a, rows A-B a-c');
      expect(describeState(after([command, command], rows, onGroup))).toBe('group of A a');
    }
    expect(describeState(after([moveTo(1), extend(-9)], rows))).toBe('A a, cells A-B a-a');
    const twoGroups = createRows(NAMES, { groups: [...GROUPS.slice(0, 1), { prefix: 'H', count: 3 }] });
    expect(describeState(after([moveTo(1), { kind: 'finishEditing', focus: 'down' }], twoGroups))).toBe('C a');
  });

  it('applies to the selected cells if the cell is one of them, or else to the cell alone', () => {
    const state = after([moveTo(1), TOGGLE, moveTo(3)]);
    expect(rangeAt(state, at(1, 2))).toEqual({ spans: [{ top: 1, bottom: 1 }], left: 0, right: 2 });
    expect(rangeAt(state, at(3, 2))).toEqual({ spans: [{ top: 3, bottom: 3 }], left: 2, right: 2 });
  });
});

describe('the state follows the rows', () => {
  const followed = (commands: readonly GridCommand[], rows: GridRows, from = createRows(NAMES)) =>
    follow(after(commands, from), rows);

  it('with the active cell, when rows or columns are added or removed', () => {
    expect(
      describeState(followed([moveTo(2, 1)], createRows(['0', ...NAMES], { environments: ['z', 'a', 'b'] }))),
    ).toBe('C b');
    expect(describeState(followed([moveTo(2, 1)], createRows(['A', 'B', 'D', 'E'])))).toBe('D b');
    expect(describeState(followed([moveTo(4, 2)], createRows(['A', 'B'], { environments: ['a'] })))).toBe('B a');
    const deleted = followed([moveTo(2)], createRows(['A', 'B', 'D']));
    expect([deleted, follow(deleted, createRows(['0', 'A', 'B', 'D']))].map(describeState)).toEqual(['D a', 'D a']);
  });

  it('and returns to a row that a filter or a collapsed group has hidden', () => {
    const filtered = followed([moveTo(4, 1)], createRows(['B', 'C'], { q: 'x' }));
    expect(describeState(filtered)).toBe('C b');
    expect(describeState(follow(filtered, createRows(NAMES)))).toBe('E b');
    const collapsed = followed([moveTo(1, 1)], createRows(NAMES, { groups: GROUPS, collapsed: ['own G'] }));
    expect(describeState(collapsed)).toBe('group of A b');
    expect(describeState(follow(collapsed, createRows(NAMES, { groups: GROUPS })))).toBe('B b');
  });

  it('and returns to the explained cell after another filter', () => {
    const linked = initialState(createRows(['B'], { q: 'x' }), { cell: 'D', in: 'c' }, null);
    expect([describeState(linked), isActiveExplained(linked)]).toEqual(['B a, explains D c', false]);
    expect(describeState(follow(linked, createRows(NAMES, { q: 'x' })))).toBe('B a, explains D c');
    const visible = follow(linked, createRows(NAMES));
    expect([describeState(visible), isActiveExplained(visible)]).toEqual(['D c, explains D c', true]);
  });

  it('and goes to the last cell as soon as the rows are loaded', () => {
    const pending = createRows(NAMES, { isPending: true });
    const opened = initialState(pending, null, { cell: 'D', in: 'b', row: 1, rowsKey: createRowsKey(pending) });
    expect(opened.active).toEqual(at(0));
    expect(describeState(follow(opened, createRows(NAMES)))).toBe('D b');
    expect(follow(opened, createRows(['A', 'B', 'C'])).active).toEqual(at(1, 1));
    expect(follow(opened, createRows(['A', 'B', 'C'], { q: 'x' })).active).toEqual(at(0));
  });

  it('and explains a row as soon as it is loaded, unless the user closes or moves', () => {
    const waiting = after([EXPLAIN], createRows(NAMES, { loadedFrom: 1 }));
    expect(waiting.explained).toBeNull();
    expect(describeState(follow(waiting, createRows(NAMES)))).toBe('A a, explains A a');
    for (const command of [EXPLAIN, CLOSE, moveTo(0)]) {
      expect(describeState(reduce(waiting, command, createRows(NAMES, { loadedFrom: 1 })))).not.toContain('explains');
      expect(follow(reduce(waiting, command, waiting.rows), createRows(NAMES)).explained).toBeNull();
    }
  });

  it('ends a selection if the same positions would contain other cells', () => {
    const [cells, rows] = [
      [moveTo(1), extend(1)],
      [moveTo(1), TOGGLE],
    ];
    for (const otherRows of [
      createRows(NAMES.slice(0, 4)),
      createRows(NAMES, { q: 'x' }),
      createRows(['A', 'X', 'C', 'D', 'E']),
    ]) {
      expect(followed(cells, otherRows).selection).toBeNull();
      expect(followed(rows, otherRows).selection).toEqual({ kind: 'ended' });
    }
    const otherColumns = createRows(NAMES, { environments: ['a', 'b'] });
    expect(followed(cells, otherColumns).selection).toBeNull();
    expect(describeState(followed(rows, otherColumns))).toBe('B a, rows B a-b');
    expect(describeState(followed(cells, createRows(NAMES)))).toBe('C a, cells B-C a-a');
    const collapsed = createRows(NAMES, { groups: GROUPS, collapsed: ['own G'] });
    expect(followed([moveTo(0), extend(1)], collapsed, createRows(NAMES, { groups: GROUPS })).selection).toBeNull();
    expect(after([{ kind: 'endNotice' }], createRows(NAMES.slice(0, 4)), after(rows)).selection).toBeNull();
  });

  it('detects moved rows that were not loaded in between', () => {
    const away = follow(after([moveTo(0), TOGGLE, moveTo(4)]), createRows(NAMES, { loadedFrom: 2 }));
    const stateAfterReload = reduce(away, TOGGLE, createRows(NAMES, { loadedFrom: 2 }));
    expect(describeState(stateAfterReload)).toContain('rows A+E');
    expect(follow(stateAfterReload, createRows(['X', 'B', 'C', 'D', 'E'])).selection).toEqual({ kind: 'ended' });
    const cells = follow(after([moveTo(0), extend(2)]), createRows(NAMES, { loadedFrom: 2 }));
    const extended = reduce(cells, extend(1), createRows(NAMES, { loadedFrom: 2 }));
    expect(describeState(extended)).toBe('D a, cells A-D a-a');
    expect(follow(extended, createRows(['X', 'B', 'C', 'D', 'E'])).selection).toBeNull();
  });
});

describe('whatever the user does and whatever rows are loaded', () => {
  const number = fc.integer({ min: -3, max: 9 });
  const position = fc.record({ row: number, column: number, onGroup: fc.boolean() });
  const commands: fc.Arbitrary<GridCommand> = fc.oneof(
    fc.record({ kind: fc.constantFrom('move' as const, 'extend' as const), rows: number, columns: number }),
    fc.record({ kind: fc.constantFrom('moveTo' as const, 'extendTo' as const), position }),
    fc.record({ kind: fc.constant('toggleRow' as const), isRange: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('selectAll', 'selectRows', 'toggleAllRows', 'explain', 'close', 'endNotice') }),
    fc.record({
      kind: fc.constant('finishEditing' as const),
      focus: fc.constantFrom('stay' as const, 'down' as const, 'left' as const),
    }),
    fc.record({
      kind: fc.constant('openLink' as const),
      names: fc.option(fc.record({ cell: fc.constantFrom(...NAMES), in: fc.constantFrom('a', 'b', 'x') })),
    }),
  ) as fc.Arbitrary<GridCommand>;
  const grids = fc
    .record({
      names: fc.subarray(NAMES, { minLength: 1 }),
      environments: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      loadedFrom: fc.nat(3),
      groups: fc.constantFrom(undefined, GROUPS),
      collapsed: fc.subarray(['own G']),
    })
    .map(({ names, ...options }) =>
      createRows(names, { ...options, groups: options.groups ?? undefined } as RowsOptions),
    );

  it('the active cell is inside the grid, and the state follows the same rows once', () => {
    fc.assert(
      fc.property(grids, fc.array(fc.tuple(commands, grids)), (first, steps) => {
        let state = initialState(first, null, null);
        for (const [command, rows] of steps) {
          state = reduce(state, command, rows);
          const { row, column } = state.active;
          expect(row >= 0 && row < rows.lines.total && column >= 0 && column < rows.columns.length).toBe(true);
          expect(rows.lines.place(state.active)).toEqual(expect.objectContaining({ row }));
          expect(follow(state, rows)).toBe(state);
          if (state.selection && state.selection.kind !== 'ended') {
            const { spans, left, right } = selectedRange(state);
            expect(spans.every(({ top, bottom }) => top >= 0 && bottom < rows.lines.total)).toBe(true);
            expect(left >= 0 && right < rows.columns.length).toBe(true);
          }
        }
      }),
    );
  });
});
