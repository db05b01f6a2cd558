/** What stands at a place of the grid: a row by its index, or the head of those that other projects own. */
export type GridLine = { readonly kind: 'row'; readonly row: number } | { readonly kind: 'others' };

/** The lines of a grid: rows of the project itself, then a head and the rows that it has from others. */
export class GridLines {
  readonly count: number;

  /** `own` of `total` rows are the project's own. */
  constructor(
    readonly own: number,
    readonly total: number,
  ) {
    this.count = total + (this.hasOthers ? 1 : 0);
  }

  at(line: number): GridLine {
    if (!this.hasOthers || line < this.own) return { kind: 'row', row: line };
    return line === this.own ? { kind: 'others' } : { kind: 'row', row: line - 1 };
  }

  of(row: number): number {
    return this.hasOthers && row >= this.own ? row + 1 : row;
  }

  private get hasOthers(): boolean {
    return this.own < this.total;
  }
}

/** The first and the last of lines or columns that are in sight, and `spare` on either side. */
export function visibleRange(
  from: number,
  length: number,
  size: number,
  count: number,
  spare: number,
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(from / size) - spare);
  return { first, last: Math.min(count - 1, Math.ceil((from + length) / size) - 1 + spare) };
}
