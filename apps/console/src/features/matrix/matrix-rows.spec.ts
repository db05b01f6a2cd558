import * as fc from 'fast-check';
import { GridLines, visibleRange, visibleSpan } from './matrix-rows.ts';

/** Returns the lines as words: the number of a row, `others`, or the prefix of a group, with a plus if it is collapsed. */
const listRows = (lines: GridLines) =>
  Array.from({ length: lines.count }, (_, at) => lines.at(at)).map((line) =>
    line.kind === 'row' ? line.row : line.kind === 'group' ? `${line.prefix}${line.isCollapsed ? '+' : ''}` : line.kind,
  );
const GROUPS = [
  { prefix: 'DB', count: 2 },
  { prefix: null, count: 1 },
  { prefix: 'DB', count: 2 },
];

describe('the lines of a grid', () => {
  it('contain a heading before parameters inherited from other projects', () => {
    expect(listRows(new GridLines({ ownCount: 2, total: 4 }))).toEqual([0, 1, 'others', 2, 3]);
    expect(listRows(new GridLines({ ownCount: 0, total: 1 }))).toEqual(['others', 0]);
  });

  it('contain no heading if no parameter is inherited', () => {
    expect(new GridLines({ ownCount: 4, total: 4 }).count).toBe(4);
  });

  it('contain a line for each group, and not the rows of collapsed groups', () => {
    const counts = { ownCount: 3, total: 5, groups: GROUPS };
    expect(listRows(new GridLines(counts))).toEqual(['DB', 0, 1, 2, 'others', 'DB', 3, 4]);
    const collapsed = new GridLines(counts, new Set(['own DB']));
    expect(listRows(collapsed)).toEqual(['DB+', 2, 'others', 'DB', 3, 4]);
    expect(collapsed.place({ row: 1 })).toEqual({ row: 0, onGroup: true });
    expect(collapsed.place({ row: 2, onGroup: true })).toEqual({ row: 2 });
    expect([0, 1, 3, 5].map((line) => collapsed.position(line))).toEqual([1, 2, 3, 5]);
  });

  it('contain all rows if the groups are older than the counts', () => {
    expect(listRows(new GridLines({ ownCount: 6, total: 6, groups: GROUPS }))).toEqual(['DB', 0, 1, 2, 'DB', 3, 4, 5]);
    expect(listRows(new GridLines({ ownCount: 4, total: 4, groups: GROUPS }))).toEqual(['DB', 0, 1, 2, 'DB', 3]);
    expect(listRows(new GridLines({ ownCount: 1, total: 3, groups: GROUPS }))).toEqual(['DB', 0, 'others', 'DB', 1, 2]);
  });

  it('are passed by moves, which skip the heading, and groups if only rows count', () => {
    const lines = new GridLines({ ownCount: 3, total: 5, groups: GROUPS }, new Set(['own DB']));
    expect(lines.move({ row: 2 }, 1)).toEqual({ row: 3, onGroup: true });
    expect(lines.move({ row: 2 }, 1, true)).toEqual({ row: 3 });
    expect(lines.move({ row: 2 }, -1)).toEqual({ row: 0, onGroup: true });
    expect(lines.move({ row: 2 }, -1, true)).toEqual({ row: 2 });
    expect(lines.move({ row: 3 }, -1)).toEqual({ row: 3, onGroup: true });
    expect(lines.move({ row: 3, onGroup: true }, -1)).toEqual({ row: 2 });
    expect(lines.move({ row: 2 }, 1_000)).toEqual({ row: 4 });
    expect(new GridLines({ ownCount: 0, total: 0 }).move({ row: 0 }, 1)).toEqual({ row: 0 });
  });

  it('convert to rows and back, with and without groups', () => {
    const groups = fc.array(fc.record({ prefix: fc.constantFrom('A', 'B', null), count: fc.nat(5) }), { maxLength: 9 });
    const collapsed = fc.subarray(['own A', 'own B', 'others A', 'others B']).map((keys) => new Set(keys));
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.option(groups), collapsed, (ownCount, otherCount, listedGroups, keys) => {
        const lines = new GridLines({ ownCount, total: ownCount + otherCount, groups: listedGroups }, keys);
        const visible = new Set(listRows(lines).filter((line) => typeof line === 'number'));
        for (let row = 0; row < ownCount + otherCount; row += 1) {
          const line = lines.at(lines.of({ row }));
          if (visible.has(row)) expect(line).toEqual({ kind: 'row', row });
          else {
            expect(line).toMatchObject({ kind: 'group', isCollapsed: true });
            if (line.kind === 'group') expect(row >= line.top && row <= line.bottom).toBe(true);
          }
        }
        for (const group of lines.groups) {
          expect(lines.at(lines.of({ row: group.top, onGroup: true }))).toEqual(group);
        }
        const hidden = lines.groups.filter(({ isCollapsed }) => isCollapsed);
        const hiddenRows = hidden.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0);
        expect(visible.size + hiddenRows).toBe(ownCount + otherCount);
      }),
    );
  });
});

it('the number of visible cells is bounded, regardless of the size of the grid', () => {
  expect(visibleRange(0, 640, 32, 10_000, 12)).toEqual({ first: 0, last: 31 });
  expect(visibleRange(160_000, 640, 32, 10_000, 12)).toEqual({ first: 4988, last: 5031 });
  expect(visibleRange(0, 640, 32, 0, 12)).toEqual({ first: 0, last: -1 });
});

test.each`
  from   | to     | first | last
  ${0}   | ${100} | ${0}  | ${0}
  ${0}   | ${101} | ${0}  | ${1}
  ${100} | ${350} | ${1}  | ${2}
  ${299} | ${999} | ${1}  | ${2}
`('the columns between $from and $to are $first to $last', ({ from, to, first, last }) => {
  expect(visibleSpan([0, 100, 300, 350], from, to, 0)).toEqual({ first, last });
  expect(visibleSpan([0, 100, 300, 350], from, to, 9)).toEqual({ first: 0, last: 2 });
});
