import * as fc from 'fast-check';
import { cellCount, columnsInRow, describeRange, rangeBetween } from './cell-range.ts';

const position = fc.record({ row: fc.nat(20), column: fc.nat(20) });

describe('a range of cells', () => {
  it('contains exactly the cells between its corners, in whatever order they were selected', () => {
    fc.assert(
      fc.property(position, position, (one, other) => {
        const range = rangeBetween(one, other);
        const selected = Array.from({ length: 22 }, (_, row) => columnsInRow(range, row));
        const between = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b);
        const sum = selected.reduce((cells, span) => cells + (span ? span.right - span.left + 1 : 0), 0);

        expect(rangeBetween(other, one)).toEqual(range);
        expect(sum).toBe(cellCount(range));
        for (const [row, span] of selected.entries()) {
          expect(span !== null).toBe(between(row, one.row, other.row));
          for (let at = 0; span && at < 22; at += 1) {
            expect(at >= span.left && at <= span.right).toBe(between(at, one.column, other.column));
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
  });
});
