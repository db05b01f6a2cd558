import { displayOf, displayOfEdit, type MatrixRow } from '../../data/cell.ts';
import { toTsv } from '../../lib/tsv.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { RangeRows } from './range-edits.ts';
import type { CellActions } from './use-cell-actions.ts';

/** The text of a range for the clipboard. */
export interface RangeText {
  readonly text: string;
  /** The number of secrets, which are empty in the text. */
  readonly secrets: number;
}

/** Returns the texts that a range shows, with drafts. Cells without a text are empty, and so are secrets, drafted ones too. */
export function rangeText({ range, rows, columns }: RangeRows, marksOf: CellActions['marksOf']): RangeText {
  let secrets = 0;
  const texts = rows.map(({ line }) =>
    columns.slice(range.left, range.right + 1).map((column) => {
      const display = shownIn(line, column, marksOf);
      if (display?.kind === 'secret' || display?.kind === 'retype') secrets += 1;
      return display !== undefined && 'text' in display ? display.text : '';
    }),
  );
  return { text: toTsv(texts), secrets };
}

function shownIn(line: MatrixRow, column: ColumnOfGrid, marksOf: CellActions['marksOf']) {
  const { draft, followed } = marksOf(line, column);
  const edit = (draft ?? followed)?.edit;
  const cell = line.cells[column.at];
  return edit ? displayOfEdit(edit, line.secret) : cell && displayOf(cell);
}
