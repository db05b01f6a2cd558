/** The names of a cell, as in the URL. */
export interface CellNames {
  readonly cell: string;
  readonly in: string;
}

export const isSameCell = (left: CellNames | null, right: CellNames | null): boolean =>
  left?.cell === right?.cell && left?.in === right?.in;
