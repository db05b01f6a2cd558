import { type TextReferences, textReferences } from '@strata/import';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readRowsAt, rowsChanged } from '../../data/matrix.ts';
import { valueRulesQuery } from '../../data/value-rules.ts';
import { counted } from '../../lib/counted.ts';
import { RequestError } from '../../lib/request-error.ts';
import type { TextBlock } from '../../lib/tsv.ts';
import { copyWhenLoaded } from '../../ui/clipboard.ts';
import { type CellRange, cellCount, rowNumbers, rowsOf } from './cell-range.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import {
  copyColumn,
  EDITS_MAX,
  type EditRules,
  fillRange,
  pasteBlock,
  pastedBlock,
  pastedRange,
  type RangeEdits,
  type RangeRows,
  unsetRange,
} from './range-edits.ts';
import { rangeText } from './range-text.ts';
import type { CellActions } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';
import { usePastedReferences } from './use-pasted-references.tsx';
import type { CellSelection } from './use-selection.ts';

interface RangeActionsProps {
  readonly projectId: string;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly selection: Pick<CellSelection, 'ids' | 'clear'>;
  readonly drafting: CellActions;
  onWarn(words: string): void;
  /** Reports what was done. */
  onNotice(words: string): void;
  /** Opens the export of some parameters. */
  onExport(names: readonly string[]): void;
  /** Called with the revision of an applied change. */
  onApplied(revision: number): void;
}

/** The actions on some cells. */
export interface RangeActions {
  copy(range: CellRange): void;
  paste(text: string, range: CellRange): void;
  unset(range: CellRange): void;
  fill(to: 'down' | 'right', range: CellRange): void;
  /** Opens the dialog for an action on the parameters of the rows, or the page that exports them. */
  openRows(action: RowsAction | 'export', range: CellRange): void;
  /** The open dialog, with the rows; null if there is none. */
  readonly onRows: { readonly action: RowsAction; readonly found: RangeRows } | null;
  closeRows(): void;
  copyTo(from: ColumnOfGrid, to: ColumnOfGrid): void;
  /** Closes the dialog after its change was applied, and offers to undo it. */
  onApplied(revision: number): void;
  /** The edits that wait for a confirmation, because some cells are left out; null if there are none. */
  readonly proposal: RangeProposal | null;
  /** Stages the proposed edits, or discards them. */
  answer(isAccepted: boolean): void;
  /** The dialog to choose whether the references in pasted texts are resolved; null if it is closed. */
  readonly referencesDialog: ReactNode;
}

export interface RangeProposal extends RangeEdits {
  readonly title: string;
}

/** An action on all parameters of the selected rows. */
export type RowsAction = 'delete' | 'type' | 'copy';

/** The maximum number of cells that are copied at once. */
const COPIED_MAX = 100_000;
/** The maximum number of parameters that are exported by their names. An export of all of them needs no names. */
const EXPORTED_MAX = 1_000;

/** Returns the actions on cells. They load the rows that are not visible. */
export function useRangeActions(props: RangeActionsProps): RangeActions {
  const { drafting, selection, onWarn, onNotice, onExport } = props;
  const { rowsFor, typeCheck } = useLoading(props);
  const { propose, ...confirmation } = useProposal(props);
  const { resolvePasted, dialog: referencesDialog } = useResolving(props);
  const [onRows, setOnRows] = useState<RangeActions['onRows']>(null);
  const run = async (limit: Limit, range: CellRange, action: () => Promise<void>) => {
    const problem = limit(range);
    if (problem !== null) return onWarn(problem);
    await action().catch((error: unknown) =>
      onWarn(error instanceof RequestError ? error.message : 'The browser doesn’t allow access to the clipboard.'),
    );
  };
  const change = (title: string, range: CellRange, editsOf: (found: RangeRows, rules: EditRules) => RangeEdits) =>
    void run(CHANGED, range, async () => {
      const found = await rowsFor(range);
      propose(title, editsOf(found, { ...drafting, problemOf: await typeCheck(found) }));
    });
  return {
    ...confirmation,
    referencesDialog,
    onRows,
    closeRows: () => setOnRows(null),
    openRows: (action, range) =>
      void run(action === 'export' ? EXPORTED : CHANGED_ROWS, range, async () => {
        const found = await rowsFor(range);
        if (action === 'export') onExport(found.rows.map(({ line }) => line.name));
        else setOnRows({ action, found });
      }),
    copyTo: (from, to) => {
      setOnRows(null);
      const oneColumn = onRows && { ...onRows.found.range, left: to.at, right: to.at };
      if (oneColumn) change('Copy values', oneColumn, (found, rules) => copyColumn(from, to, found, rules));
    },
    onApplied: (revision) => {
      if (onRows?.action === 'delete') selection.clear();
      setOnRows(null);
      props.onApplied(revision);
    },
    copy: (range) =>
      void run(COPIED, range, async () => {
        const found = rowsFor(range).then((rows) => rangeText(rows, drafting.marksOf));
        const [{ secrets }] = await Promise.all([found, copyWhenLoaded(found.then(({ text }) => text))]);
        onNotice(
          `Copied ${cells(cellCount(range))}.${secrets > 0 ? ` Secrets are not copied: ${cells(secrets)} left empty.` : ''}`,
        );
      }),
    unset: (range) =>
      void run(CHANGED, range, async () => propose('Remove values', unsetRange(await rowsFor(range), drafting))),
    paste: (text, range) => {
      const block = pastedBlock(text);
      if (typeof block === 'string') return onWarn(block);
      const pasted = pastedRange(block, range);
      void run(CHANGED, pasted, async () => {
        const found = { ...(await rowsFor(pasted)), range };
        const edits = await resolvePasted(block, found, { ...drafting, problemOf: await typeCheck(found) });
        if (edits) propose('Paste values', edits);
      });
    },
    fill: (to, range) =>
      change(to === 'down' ? 'Fill down' : 'Fill right', range, (found, rules) => fillRange(to, found, rules)),
  };
}

/** Returns functions that load the rows of a range, and the rules of types. */
function useLoading({ matrix, columns, selection: { ids } }: RangeActionsProps) {
  const client = useQueryClient();
  const { question, lines, rowAt, revisionAt } = matrix;
  const rowsFor = async (range: CellRange): Promise<RangeRows> => {
    const numbers = rowNumbers(range, lines.total);
    const shown = numbers.map((row) => {
      const line = rowAt(row);
      return line && { line, revision: revisionAt(row) };
    });
    const isShown = shown.every((row) => row !== undefined);
    const rows = isShown ? shown : await readRowsAt(client, question, numbers);
    const isMoved = rows.some(({ line }, at) => (ids.get(numbers[at] ?? -1) ?? line.parameterId) !== line.parameterId);
    if (isMoved) throw rowsChanged();
    return { range, columns, rows };
  };
  const typeCheck = async ({ rows }: RangeRows): Promise<EditRules['problemOf']> => {
    const types = [...new Set(rows.map(({ line }) => line.type))];
    const rules = await Promise.all(
      types.map((type) => client.fetchQuery(valueRulesQuery(client, { type, parameter: null }))),
    );
    const byType = new Map(types.map((type, at) => [type, rules[at]]));
    return ({ type }, text) => byType.get(type)?.problemsOf(text).join(' ') || null;
  };
  return { rowsFor, typeCheck };
}

/** Returns a function that pastes a block, after the user has chosen whether its references are resolved; null if the user cancels. */
function useResolving({ projectId }: RangeActionsProps) {
  const { parameterNames, chooseResolved, dialog } = usePastedReferences(projectId);
  const resolvePasted = async (block: TextBlock, found: RangeRows, rules: EditRules): Promise<RangeEdits | null> => {
    const names = await parameterNames(block.flat().join('\n'));
    const references = new Map<{ readonly name: string; readonly location: string }, TextReferences>();
    const dynamicTextOf: EditRules['dynamicTextOf'] = (text, line, column) => {
      const some = textReferences(text, line.name, (name) => names.has(name));
      if (some) references.set({ name: line.name, location: column.name }, some);
      return some?.problem === null ? some.dynamicText : null;
    };
    const edits = pasteBlock(block, found, { ...rules, dynamicTextOf });
    const resolved = await chooseResolved(references, (cell) => cell);
    if (resolved === null) return null;
    return resolved.size > 0 ? edits : pasteBlock(block, found, rules);
  };
  return { resolvePasted, dialog };
}

/** Stages edits at once if no cell is left out, or else after a confirmation. */
function useProposal({ drafting, onWarn, onNotice }: RangeActionsProps) {
  const [proposal, setProposal] = useState<RangeProposal | null>(null);
  const stage = ({ edits, empty }: RangeEdits) => {
    const changed = drafting.stageAll(edits);
    const rest = empty > 0 ? ` ${cells(empty)} without a text to take over stay as they are.` : '';
    onNotice(changed === 0 ? `Nothing changes.${rest}` : `Drafted ${cells(changed)}.${rest}`);
  };
  const propose = (title: string, found: RangeEdits) => {
    const [first, second] = found.leftOut;
    if (!first) stage(found);
    else if (found.edits.length === 0 && !second) onWarn(first.reason);
    else setProposal({ title, ...found });
  };
  const answer = (isAccepted: boolean) => {
    if (proposal && isAccepted) stage(proposal);
    setProposal(null);
  };
  return { propose, proposal, answer };
}

const cells = (count: number): string => (count === 1 ? '1 cell' : `${count.toLocaleString('en')} cells`);

/** Returns the reason why a range is too large for an action; null if it is not. */
type Limit = (range: CellRange) => string | null;

const limit =
  (most: number, verb: string, noun: 'cell' | 'parameter'): Limit =>
  (range) => {
    const count = noun === 'cell' ? cellCount(range) : rowsOf(range);
    if (count <= most) return null;
    return `Select at most ${counted(most, noun)} to ${verb} them. ${counted(count, noun)} are selected.`;
  };

const CHANGED = limit(EDITS_MAX, 'change', 'cell');
const CHANGED_ROWS = limit(EDITS_MAX, 'change', 'parameter');
const EXPORTED = limit(EXPORTED_MAX, 'export', 'parameter');
const COPIED = limit(COPIED_MAX, 'copy', 'cell');
