import { useEffect, useEffectEvent, useState } from 'react';
import { describeRange } from './cell-range.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { CellActions } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';
import { useRangeActions } from './use-range-actions.ts';
import { useSelection } from './use-selection.ts';

interface RangesProps {
  readonly projectId: string;
  readonly cell: Pick<ActiveCell, 'active' | 'move'>;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly drafting: CellActions;
  onWarn(words: string): void;
  onExport(names: readonly string[]): void;
  onApplied(revision: number): void;
}

/** The time for which the status line shows what an action has done. */
const NOTICE_MS = 6_000;

/** Returns the selected range, the actions on it, and what the status line shows about them; null if there is nothing to show. */
export function useRanges({ cell: { active, move }, ...props }: RangesProps) {
  const [done, setDone] = useState<{ readonly words: string; readonly at: string } | null>(null);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const selection = useSelection({ ...props, active, move });
  const clearEnded = useEffectEvent(selection.clear);
  useEffect(() => {
    if (!selection.hasEnded) return;
    const timer = setTimeout(() => clearEnded(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [selection.hasEnded]);
  const at = JSON.stringify([active, selection.range]);
  const actions = useRangeActions({ ...props, selection, onNotice: (words) => setDone({ words, at }) });
  const { lines } = props.matrix;
  const described =
    selection.isSeveral && !selection.hasRows ? describeRange(selection.range, lines.hiddenIn(selection.range)) : null;
  const notice = done?.at === at ? done.words : selection.hasEnded ? ENDED : described;
  return { selection, actions, notice };
}

const ENDED = 'The rows are no longer selected, because the list of parameters has changed. Select them again.';
