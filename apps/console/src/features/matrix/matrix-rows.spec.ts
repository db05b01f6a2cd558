import * as fc from 'fast-check';
import { GridLines, visibleRange, visibleSpan } from './matrix-rows.ts';

describe('the lines of a grid', () => {
  it('contain a heading before parameters inherited from other projects', () => {
    const lines = new GridLines(2, 4);
    const shown = Array.from({ length: lines.count }, (_, at) => lines.at(at)).map((line) =>
      line.kind === 'row' ? line.row : line.kind,
    );
    expect(shown).toEqual([0, 1, 'others', 2, 3]);
  });

  it('contain no heading if no parameter is inherited', () => {
    expect(new GridLines(4, 4).count).toBe(4);
  });

  it('convert to rows and back', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (own, others) => {
        const lines = new GridLines(own, own + others);
        for (let row = 0; row < own + others; row += 1) expect(lines.at(lines.of(row))).toEqual({ kind: 'row', row });
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
