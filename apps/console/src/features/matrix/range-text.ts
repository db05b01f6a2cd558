import { toTsv } from '../../lib/tsv.ts';
import type { RangeRows } from './range-edits.ts';
import { displayWithDrafts } from './removal.ts';
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
      const marks = marksOf(line, column);
      const cell = line.cells[column.at];
      const display = cell && displayWithDrafts(cell, line.secret, marks);
      if (display?.kind === 'secret' || display?.kind === 'retype') secrets += 1;
      if (marks.removal?.kind === 'inherits') return marks.removal.text ?? '';
      return display && 'text' in display ? display.text : '';
    }),
  );
  return { text: toTsv(texts), secrets };
}
