import { editableText, type MatrixRow } from '../../data/cell.ts';
import type { LoadedRow } from '../../data/matrix.ts';
import type { DraftEdit } from '../../lib/draft.ts';
import { parseTextBlock, type TextBlock } from '../../lib/tsv.ts';
import { type CellRange, cellCount, countColumns } from './cell-range.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { CellActions, CellEdit } from './use-cell-actions.ts';

/** The maximum number of cells that one action changes, which is the maximum number of operations of a changeset. */
export const EDITS_MAX = 1_000;

/** A cell that an action leaves out, and the reason. */
export interface LeftOut {
  readonly reason: string;
  /** The parameter and the environment; null for a cell beyond the grid. */
  readonly cell: { readonly name: string; readonly environmentName: string } | null;
}

/** The drafts that an action on a range would stage, and the cells that it leaves out. */
export interface RangeEdits {
  readonly edits: readonly CellEdit[];
  readonly leftOut: readonly LeftOut[];
  /** The number of empty cells in the source, which change nothing. */
  readonly empty: number;
}

/** The rows of a range, in their order, with all columns of the grid. */
export interface RangeRows {
  readonly range: CellRange;
  readonly rows: readonly LoadedRow[];
  readonly columns: readonly ColumnOfGrid[];
}

/** The rules that decide which cells an action may change. */
export interface EditRules extends Pick<CellActions, 'whyNot' | 'draftOf'> {
  /** Returns the reason why a text does not fit the type of a parameter; null if it fits. */
  findProblem(line: MatrixRow, text: string): string | null;
  /** Returns the text of a pasted one with its references, if they are resolved. */
  resolveText?(text: string, line: MatrixRow, column: ColumnOfGrid): string | null;
}

const count = (many: number): string => many.toLocaleString('en');

const BEYOND = 'Beyond the last row or column';
const SECRET = 'Secrets are set one at a time';

/** Returns the edits that remove the values and the drafts of a range. */
export function unsetRange({ range, rows, columns }: RangeRows, { whyNot }: Pick<EditRules, 'whyNot'>): RangeEdits {
  const selectedColumns = columns.slice(range.left, range.right + 1);
  return planned(
    rows.flatMap(({ line, revision }) =>
      selectedColumns.map((column) => {
        const reason = whyNot(line, column);
        if (reason !== null) return leave(reason, line, column);
        return { target: { line, column, revision }, edit: { kind: 'unset' } as const };
      }),
    ),
  );
}

/** The maximum length of a pasted text, which limits the time that the browser takes to read it. */
const PASTED_CHARACTERS_MAX = 1_000_000;

/** Returns the reason why a pasted text is too long; null if it is not. */
export const pastedTextProblem = ({ length }: string): string | null =>
  length <= PASTED_CHARACTERS_MAX
    ? null
    : `The copied text has ${count(length)} characters. Copy a part of it, at most ${count(PASTED_CHARACTERS_MAX)} characters at once, or import a file.`;

/** Returns the cells of a pasted text, or the reason why there are too many of them. */
export function pastedBlock(text: string): TextBlock | string {
  const problem = pastedTextProblem(text);
  if (problem !== null) return problem;
  const block = parseTextBlock(text);
  const columns = measureWidth(block);
  if (isSingle(block) || block.length * columns <= EDITS_MAX) return block;
  return `The copied block has ${count(block.length)} rows and ${count(columns)} columns. Copy a smaller block, at most ${count(EDITS_MAX)} cells at once, or import a file.`;
}

const measureWidth = (block: TextBlock): number => block.reduce((most, { length }) => Math.max(most, length), 0);
const isSingle = (block: TextBlock): boolean => block.length === 1 && block[0]?.length === 1;

/** Returns the cells that a pasted block covers. A single text fills the selected range. */
export function pastedRange(block: TextBlock, range: CellRange): CellRange {
  if (isSingle(block)) return range;
  const top = range.spans[0]?.top ?? 0;
  return { ...range, spans: [{ top, bottom: top + block.length - 1 }], right: range.left + measureWidth(block) - 1 };
}

/** Returns the edits that write a block of texts, beginning at the first cell of a range. `rows` are those that the block covers. */
export function pasteBlock(block: TextBlock, { range, rows, columns }: RangeRows, rules: EditRules): RangeEdits {
  const width = countColumns(range);
  const text = block[0]?.[0] ?? '';
  const texts: TextBlock = isSingle(block) ? rows.map(() => Array.from({ length: width }, () => text)) : block;
  const isOneCell = isSingle(block) && cellCount(range) === 1;
  return planned(
    texts.flatMap((cells, down) =>
      cells.map((text, right) => {
        const [row, column] = [rows[down], columns[range.left + right]];
        if (text === '') return null;
        if (!row || !column) return { reason: BEYOND, cell: null };
        // A single cell is chosen on purpose. In a block, the texts of secrets are usually masked, or belong to other parameters.
        if (row.line.secret && !isOneCell) return leave(SECRET, row.line, column);
        const isDynamic = row.line.cells[column.at]?.raw != null && text.includes('{');
        const resolved = isDynamic || row.line.secret ? null : rules.resolveText?.(text, row.line, column);
        const edit = { kind: 'set', text: resolved ?? text, dynamic: isDynamic || resolved != null } as const;
        return checked({ target: { ...row, column }, edit }, rules);
      }),
    ),
  );
}

/** Returns the edits that copy the first row of a range to its other rows, or its first column to its other columns. */
export function fillRange(to: 'down' | 'right', { range, rows, columns }: RangeRows, rules: EditRules): RangeEdits {
  const selectedColumns = columns.slice(range.left, range.right + 1);
  const [firstRow, firstColumn] = [rows[0], selectedColumns[0]];
  if (!firstRow || !firstColumn) return planned([]);
  const targets = to === 'down' ? rows.slice(1) : rows;
  return planned(
    targets.flatMap((row) =>
      (to === 'down' ? selectedColumns : selectedColumns.slice(1)).map((column) => {
        const source = to === 'down' ? firstRow.line : row.line;
        const from = to === 'down' ? column : firstColumn;
        if (source.secret || row.line.secret) return leave(SECRET, row.line, column);
        const edit = copyContent(source, from, rules);
        return edit && checked({ target: { ...row, column }, edit }, rules);
      }),
    ),
  );
}

/** Returns the edits that give an environment the values of another one. */
export function copyColumn(from: ColumnOfGrid, to: ColumnOfGrid, { rows }: RangeRows, rules: EditRules): RangeEdits {
  return planned(
    rows.map((row) => {
      if (row.line.secret) return leave(SECRET, row.line, to);
      const edit = copyContent(row.line, from, rules);
      return edit && checked({ target: { ...row, column: to }, edit }, rules);
    }),
  );
}

/** Returns the edit that gives another cell the content of this one; null if there is none to copy. */
export function copyContent(
  line: MatrixRow,
  column: ColumnOfGrid,
  { draftOf }: Pick<EditRules, 'draftOf'>,
): DraftEdit | null {
  const drafted = draftOf(line, column);
  if (drafted) return drafted.edit;
  const cell = line.cells[column.at];
  if (!cell || cell.states.includes('closed') || cell.states.includes('missing')) return null;
  return cell.states.includes('NULL') ? { kind: 'null' } : { kind: 'set', ...editableText(cell) };
}

function checked({ target, edit }: CellEdit, { whyNot, findProblem }: EditRules): CellEdit | LeftOut {
  const { line, column } = target;
  const problem = edit.kind === 'set' && !edit.dynamic ? findProblem(line, edit.text) : null;
  const reason = whyNot(line, column) ?? problem;
  return reason === null ? { target, edit } : leave(reason, line, column);
}

const leave = (reason: string, { name }: MatrixRow, { name: environmentName }: ColumnOfGrid): LeftOut => ({
  reason,
  cell: { name, environmentName },
});

function planned(results: readonly (CellEdit | LeftOut | null)[]): RangeEdits {
  return {
    edits: results.filter((result) => result !== null && 'edit' in result),
    leftOut: results.filter((result) => result !== null && 'reason' in result),
    empty: results.filter((result) => result === null).length,
  };
}
