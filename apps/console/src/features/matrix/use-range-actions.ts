import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsBetween } from '../../data/matrix.ts';
import { valueRulesQuery } from '../../data/value-rules.ts';
import { Refused } from '../../lib/refused.ts';
import { copyWhenLoaded } from '../../ui/clipboard.ts';
import { type CellRange, cellCount, rowsOf } from './cell-range.ts';
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

interface RangeActionsProps {
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly range: CellRange;
  readonly drafting: CellActions;
  onWarn(words: string): void;
  /** Reports what was done. */
  onNotice(words: string): void;
}

/** The actions on the selected cells. */
export interface RangeActions {
  copy(): void;
  paste(text: string): void;
  unset(): void;
  fill(to: 'down' | 'right'): void;
  /** Opens the dialog for an action on the parameters of the selected rows. */
  openRows(action: RowsAction): void;
  /** The open dialog, with the rows; null if there is none. */
  readonly onRows: { readonly action: RowsAction; readonly found: RangeRows } | null;
  closeRows(): void;
  copyTo(from: ColumnOfGrid, to: ColumnOfGrid): void;
  /** The edits that wait for a confirmation, because some cells are left out; null if there are none. */
  readonly proposal: RangeProposal | null;
  /** Stages the proposed edits, or discards them. */
  answer(isAccepted: boolean): void;
}

export interface RangeProposal extends RangeEdits {
  readonly title: string;
}

/** An action on all parameters of the selected rows. */
export type RowsAction = 'delete' | 'type' | 'copy';

/** The maximum number of cells that are copied at once. */
const COPIED_MAX = 100_000;

/** Returns the actions on the selected cells. They load the rows that are not visible. */
export function useRangeActions(props: RangeActionsProps): RangeActions {
  const { range, drafting, onWarn, onNotice } = props;
  const { rowsFor, typeCheck } = useLoading(props);
  const { propose, ...confirmation } = useProposal(props);
  const [onRows, setOnRows] = useState<RangeActions['onRows']>(null);
  const rows = { ...range, left: 0, right: 0 };
  const run = async (most: number, verb: string, area: CellRange, action: () => Promise<void>) => {
    if (cellCount(area) > most) return onWarn(tooMany(area, most, verb));
    await action().catch((error: unknown) =>
      onWarn(error instanceof Refused ? error.message : 'The browser doesn’t allow access to the clipboard.'),
    );
  };
  const change = (title: string, area: CellRange, editsOf: (found: RangeRows, rules: EditRules) => RangeEdits) =>
    void run(EDITS_MAX, 'change', area, async () => {
      const found = await rowsFor(area);
      propose(title, editsOf(found, { ...drafting, problemOf: await typeCheck(found) }));
    });
  return {
    ...confirmation,
    onRows,
    closeRows: () => setOnRows(null),
    openRows: (action) =>
      void run(EDITS_MAX, 'change', rows, async () => setOnRows({ action, found: await rowsFor(rows) })),
    copyTo: (from, to) => {
      setOnRows(null);
      change('Copy values', rows, (found, rules) => copyColumn(from, to, found, rules));
    },
    copy: () =>
      void run(COPIED_MAX, 'copy', range, async () => {
        const found = rowsFor(range).then((rows) => rangeText(rows, drafting.marksOf));
        const [{ secrets }] = await Promise.all([found, copyWhenLoaded(found.then(({ text }) => text))]);
        onNotice(
          `Copied ${cells(cellCount(range))}.${secrets > 0 ? ` Secrets are not copied: ${cells(secrets)} left empty.` : ''}`,
        );
      }),
    unset: () =>
      void run(EDITS_MAX, 'change', range, async () =>
        propose('Remove values', unsetRange(await rowsFor(range), drafting)),
      ),
    paste: (text) => {
      const block = pastedBlock(text);
      if (typeof block === 'string') return onWarn(block);
      change('Paste values', pastedRange(block, range), (found, rules) =>
        pasteBlock(block, { ...found, range }, rules),
      );
    },
    fill: (to) =>
      change(to === 'down' ? 'Fill down' : 'Fill right', range, (found, rules) => fillRange(to, found, rules)),
  };
}

/** Returns functions that load the rows of a range, and the rules of types. */
function useLoading({ matrix, columns }: RangeActionsProps) {
  const client = useQueryClient();
  const { question, lines, rowAt, revisionAt } = matrix;
  const rowsFor = async (range: CellRange): Promise<RangeRows> => {
    const bottom = Math.min(range.bottom, lines.total - 1);
    const shown = Array.from({ length: rowsOf({ ...range, bottom }) }, (_, at) => {
      const [line, revision] = [rowAt(range.top + at), revisionAt(range.top + at)];
      return line && { line, revision };
    });
    const isShown = shown.every((row) => row !== undefined);
    return { range, columns, rows: isShown ? shown : await rowsBetween(client, question, range.top, bottom) };
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

const tooMany = (range: CellRange, most: number, verb: string): string =>
  `Select at most ${cells(most)} to ${verb} them. ${cells(cellCount(range))} are selected.`;
