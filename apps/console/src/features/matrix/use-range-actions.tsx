import { type TextReferences, textReferences } from '@strata/import';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { readRowsAt, rowsChangedError } from '../../data/matrix.ts';
import { valueRulesQuery } from '../../data/value-rules.ts';
import { formatCount } from '../../lib/format-count.ts';
import { describeError, RequestError } from '../../lib/request-error.ts';
import type { TextBlock } from '../../lib/tsv.ts';
import { copyWhenLoaded } from '../../ui/clipboard.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { type CellRange, cellCount, countRows, rowNumbers } from './cell-range.ts';
import type { GridData } from './grid-data.ts';
import { type GridDispatch, type GridState, warn } from './grid-state.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { RangeProposal } from './range-dialog.tsx';
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
import type { RowsAction, RowsChange } from './rows-dialog.tsx';
import { usePastedReferences } from './use-pasted-references.tsx';

const RangeDialog = lazyPart(async () => (await import('./range-dialog.tsx')).RangeDialog);
const RowsDialog = lazyPart(async () => (await import('./rows-dialog.tsx')).RowsDialog);

interface RangeActionsProps {
  readonly state: GridState;
  readonly dispatch: GridDispatch;
  readonly data: GridData;
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
}

/** The maximum number of cells that are copied at once. */
const COPIED_MAX = 100_000;
/** The maximum number of parameters that are exported by their names. An export of all of them needs no names. */
const EXPORTED_MAX = 1_000;

/** Returns the actions on cells, which load the rows that are not visible, and the dialogs that they open. */
export function useRangeActions(props: RangeActionsProps): {
  readonly actions: RangeActions;
  readonly dialogs: ReactNode;
} {
  const { dispatch, data, onExport } = props;
  const { drafting } = data;
  const onWarn = (text: string) => warn(dispatch, text);
  const onNotice = (text: string) => dispatch({ kind: 'report', message: { kind: 'notice', text } });
  const { rowsFor, typeCheck } = useLoading(props);
  const { propose, proposalDialog } = useProposal(props, onNotice);
  const { resolvePasted, referencesDialog } = useResolving(props);
  const run = async (limit: Limit, range: CellRange, action: () => Promise<void>) => {
    const problem = limit(range);
    if (problem !== null) return onWarn(problem);
    await action().catch((error: unknown) =>
      onWarn(
        error instanceof RequestError ? describeError(error) : 'The browser doesn’t allow access to the clipboard.',
      ),
    );
  };
  const change = (title: string, range: CellRange, editsOf: (selected: RangeRows, rules: EditRules) => RangeEdits) =>
    void run(CHANGED, range, async () => {
      const selected = await rowsFor(range);
      propose(title, editsOf(selected, { ...drafting, findProblem: await typeCheck(selected) }));
    });
  const { openDialog, rowsDialog } = useRowsDialog(props, ({ range }, from, to) =>
    change('Copy values', { ...range, left: to.at, right: to.at }, (selected, rules) =>
      copyColumn(from, to, selected, rules),
    ),
  );
  const actions: RangeActions = {
    openRows: (action, range) =>
      void run(action === 'export' ? EXPORTED : CHANGED_ROWS, range, async () => {
        const selected = await rowsFor(range);
        if (action === 'export') onExport(selected.rows.map(({ line }) => line.name));
        else openDialog({ action, selected });
      }),
    copy: (range) =>
      void run(COPIED, range, async () => {
        const selected = rowsFor(range).then((rows) => rangeText(rows, drafting.marksOf));
        const [{ secrets }] = await Promise.all([selected, copyWhenLoaded(selected.then(({ text }) => text))]);
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
        const selected = { ...(await rowsFor(pasted)), range };
        const edits = await resolvePasted(block, selected, { ...drafting, findProblem: await typeCheck(selected) });
        if (edits) propose('Paste values', edits);
      });
    },
    fill: (to, range) =>
      change(to === 'down' ? 'Fill down' : 'Fill right', range, (selected, rules) => fillRange(to, selected, rules)),
  };
  const dialogs = (
    <Suspense>
      {referencesDialog}
      {proposalDialog}
      {rowsDialog}
    </Suspense>
  );
  return { actions, dialogs };
}

/** Returns the dialog for an action on selected rows. `onCopy` drafts the values of one environment in another one. */
function useRowsDialog(
  { dispatch, data: { project }, onApplied }: RangeActionsProps,
  onCopy: (selected: RangeRows, from: ColumnOfGrid, to: ColumnOfGrid) => void,
) {
  const [change, openDialog] = useState<RowsChange | null>(null);
  const onClose = () => openDialog(null);
  const rowsDialog = change && (
    <RowsDialog
      {...{ ...change, onClose }}
      projectId={project.id}
      onCopy={(from, to) => {
        onClose();
        onCopy(change.selected, from, to);
      }}
      onApplied={(revision) => {
        if (change.action === 'delete') dispatch({ kind: 'clearSelection' });
        onClose();
        onApplied(revision);
      }}
    />
  );
  return { openDialog, rowsDialog };
}

/** Returns functions that load the rows of a range, and the rules of types. */
function useLoading({ state: { selection }, data: { matrix, columns } }: RangeActionsProps) {
  const client = useQueryClient();
  const ids = selection && 'ids' in selection ? selection.ids : null;
  const { question, lines, rowAt, revisionAt } = matrix;
  const rowsFor = async (range: CellRange): Promise<RangeRows> => {
    const numbers = rowNumbers(range, lines.total);
    const shownRows = numbers.map((row) => {
      const line = rowAt(row);
      return line && { line, revision: revisionAt(row) };
    });
    const isShown = shownRows.every((row) => row !== undefined);
    const rows = isShown ? shownRows : await readRowsAt(client, question, numbers);
    const isMoved = rows.some(({ line }, at) => (ids?.get(numbers[at] ?? -1) ?? line.parameterId) !== line.parameterId);
    if (isMoved) throw rowsChangedError();
    return { range, columns, rows };
  };
  const typeCheck = async ({ rows }: RangeRows): Promise<EditRules['findProblem']> => {
    const types = [...new Set(rows.map(({ line }) => line.type))];
    const rules = await Promise.all(
      types.map((type) => client.fetchQuery(valueRulesQuery(client, { type, parameter: null }))),
    );
    const byType = new Map(types.map((type, at) => [type, rules[at]]));
    return ({ type }, text) => byType.get(type)?.listProblems(text).join(' ') || null;
  };
  return { rowsFor, typeCheck };
}

/** Returns a function that pastes a block, after the user has chosen whether its references are resolved; null if the user cancels. */
function useResolving({ data: { project } }: RangeActionsProps) {
  const { parameterNames, chooseResolved, dialog } = usePastedReferences(project.id);
  const resolvePasted = async (block: TextBlock, selected: RangeRows, rules: EditRules): Promise<RangeEdits | null> => {
    const names = await parameterNames(block.flat().join('\n'));
    const references = new Map<{ readonly name: string; readonly location: string }, TextReferences>();
    const resolveText: EditRules['resolveText'] = (text, line, column) => {
      const lineReferences = textReferences(text, line.name, (name) => names.has(name));
      if (lineReferences) references.set({ name: line.name, location: column.name }, lineReferences);
      return lineReferences?.problem === null ? lineReferences.dynamicText : null;
    };
    const edits = pasteBlock(block, selected, { ...rules, resolveText });
    const resolved = await chooseResolved(references, (cell) => cell);
    if (resolved === null) return null;
    return resolved.size > 0 ? edits : pasteBlock(block, selected, rules);
  };
  return { resolvePasted, referencesDialog: dialog };
}

/** Stages edits at once if no cell is left out, or else after a confirmation. */
function useProposal({ dispatch, data: { drafting } }: RangeActionsProps, onNotice: (text: string) => void) {
  const [proposal, setProposal] = useState<RangeProposal | null>(null);
  const stage = ({ edits, empty }: RangeEdits) => {
    const changedCount = drafting.stageAll(edits);
    const rest = empty > 0 ? ` ${cells(empty)} without a text to take over stay as they are.` : '';
    onNotice(changedCount === 0 ? `Nothing changes.${rest}` : `Drafted ${cells(changedCount)}.${rest}`);
  };
  const propose = (title: string, proposed: RangeEdits) => {
    const [first, second] = proposed.leftOut;
    if (!first) stage(proposed);
    else if (proposed.edits.length === 0 && !second) warn(dispatch, first.reason);
    else setProposal({ title, ...proposed });
  };
  const closeDialog = (isAccepted: boolean) => {
    if (proposal && isAccepted) stage(proposal);
    setProposal(null);
  };
  return { propose, proposalDialog: proposal && <RangeDialog {...proposal} onAnswer={closeDialog} /> };
}

const cells = (count: number): string => (count === 1 ? '1 cell' : `${count.toLocaleString('en')} cells`);

/** Returns the reason why a range is too large for an action; null if it is not. */
type Limit = (range: CellRange) => string | null;

const limit =
  (most: number, verb: string, noun: 'cell' | 'parameter'): Limit =>
  (range) => {
    const count = noun === 'cell' ? cellCount(range) : countRows(range);
    if (count <= most) return null;
    return `Select at most ${formatCount(most, noun)} to ${verb} them. ${formatCount(count, noun)} are selected.`;
  };

const CHANGED = limit(EDITS_MAX, 'change', 'cell');
const CHANGED_ROWS = limit(EDITS_MAX, 'change', 'parameter');
const EXPORTED = limit(EXPORTED_MAX, 'export', 'parameter');
const COPIED = limit(COPIED_MAX, 'copy', 'cell');
