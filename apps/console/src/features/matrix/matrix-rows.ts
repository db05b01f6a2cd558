/** A line of the grid: a row by its index, or the heading of inherited rows. */
export type GridLine = { readonly kind: 'row'; readonly row: number } | { readonly kind: 'others' };

/** The mapping between rows and lines of a grid: first the project's own rows, then a heading, then the inherited rows. */
export class GridLines {
  readonly count: number;

  /** `own` is the number of rows that the project itself owns, out of `total`. */
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

/** Returns the first and the last visible line or column, extended by `spare` on each side. */
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

/**
 * Returns the first and the last visible column, extended by `spare` on each side. `lefts` are the beginnings of the columns in ascending
 * order, and the end of the last one.
 */
export function visibleSpan(
  lefts: readonly number[],
  from: number,
  to: number,
  spare: number,
): { readonly first: number; readonly last: number } {
  const count = lefts.length - 1;
  const first = lefts.findLastIndex((left, at) => at < count && left <= from);
  const last = lefts.findLastIndex((left, at) => at < count && left < to);
  return { first: Math.max(0, first - spare), last: Math.min(count - 1, last + spare) };
}
