import * as fc from 'fast-check';
import {
  cellCount,
  columnsInRow,
  countRows,
  describeRange,
  describeRows,
  hasRow,
  rangeBetween,
  rowsWithin,
  withRows,
} from './cell-range.ts';

const position = fc.record({ row: fc.nat(20), column: fc.nat(20) });

describe('a range of cells', () => {
  it('contains exactly the cells between its corners, in whatever order they were selected', () => {
    fc.assert(
      fc.property(position, position, (corner, opposite) => {
        const range = rangeBetween(corner, opposite);
        const selected = Array.from({ length: 22 }, (_, row) => columnsInRow(range, row));
        const between = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b);
        const sum = selected.reduce((cells, span) => cells + (span ? span.right - span.left + 1 : 0), 0);

        expect(rangeBetween(opposite, corner)).toEqual(range);
        expect(sum).toBe(cellCount(range));
        for (const [row, span] of selected.entries()) {
          expect(span !== null).toBe(between(row, corner.row, opposite.row));
          for (let at = 0; span && at < 22; at += 1) {
            expect(at >= span.left && at <= span.right).toBe(between(at, corner.column, opposite.column));
          }
        }
      }),
    );
  });

  it('is described by its size', () => {
    const range = rangeBetween({ row: 9_999, column: 0 }, { row: 0, column: 19 });
    expect(describeRange(range)).toBe('200,000 cells selected: 10,000 parameters × 20 environments');
    expect(describeRange(rangeBetween({ row: 1, column: 2 }, { row: 1, column: 3 }))).toBe(
      '2 cells selected: 1 parameter × 2 environments',
    );
    expect(describeRange(range, 40)).toMatch(/20 environments, 40 in collapsed groups$/);
    expect(describeRows(range, 20_000, 0)).toBe('10,000 rows selected');
    expect(describeRows(range, 10_000, 3)).toBe('All 10,000 rows selected, 3 in collapsed groups');
  });
});

it('rows that are selected and deselected one after the other are the same as in a set', () => {
  const row = fc.nat(20);
  const step = fc.tuple(row, row, fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), row, row, (steps, start, end) => {
      const set = new Set<number>();
      let spans = withRows([], { top: 0, bottom: 0 }, false);
      for (const [a, b, isSelected] of steps) {
        const span = { top: Math.min(a, b), bottom: Math.max(a, b) };
        spans = withRows(spans, span, isSelected);
        for (let at = span.top; at <= span.bottom; at += 1) isSelected ? set.add(at) : set.delete(at);
      }
      const all = Array.from({ length: 21 }, (_, at) => at);
      const within = { top: Math.min(start, end), bottom: Math.max(start, end) };

      expect(all.filter((at) => hasRow({ spans }, at))).toEqual([...set].toSorted((a, b) => a - b));
      expect(countRows({ spans })).toBe(set.size);
      expect(rowsWithin({ spans }, within)).toBe(
        [...set].filter((at) => at >= within.top && at <= within.bottom).length,
      );
      for (const [at, { top }] of spans.entries()) expect(top).toBeGreaterThan((spans[at - 1]?.bottom ?? -2) + 1);
    }),
  );
});
