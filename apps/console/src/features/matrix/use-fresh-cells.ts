import { useCallback, useEffect, useRef, useState } from 'react';
import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { MatrixRead } from './use-matrix.ts';

/** The duration for which a changed cell is highlighted. */
const LIT_MS = 6_000;

interface SeenLine {
  readonly line: MatrixRow;
  readonly environmentIds: readonly string[];
}

/** Returns a function that returns whether the value of a cell has just changed. Cells that have just become visible do not count. */
export function useFreshCells({ question, parts }: MatrixRead): (line: MatrixRow, column: ColumnOfGrid) => boolean {
  const seen = useRef(new Map<string, SeenLine>());
  const [lit, setLit] = useState<ReadonlySet<string>>(new Set());
  const pointInTime = JSON.stringify(question.pointInTime);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another point in time starts over
  useEffect(() => {
    seen.current = new Map();
    setLit(new Set());
  }, [pointInTime]);
  useEffect(() => {
    const { environmentIds } = question;
    const changedNames = parts.flatMap((part) =>
      (part?.lines ?? []).flatMap((line) => {
        const before = seen.current.get(line.name);
        seen.current.set(line.name, { line, environmentIds });
        // A secret is compared by the versions in its row, which are other ones if the columns change.
        const isSameRow = before?.environmentIds.join() === environmentIds.join();
        return before && isSameRow && before.line !== line ? changedCells(before, { line, environmentIds }) : [];
      }),
    );
    if (changedNames.length === 0) return;
    setLit((old) => new Set([...old, ...changedNames]));
    setTimeout(() => setLit((old) => new Set([...old].filter((key) => !changedNames.includes(key)))), LIT_MS);
  }, [question, parts]);
  return useCallback((line, { id }) => lit.has(`${line.name} ${id}`), [lit]);
}

function changedCells(before: SeenLine, after: SeenLine): readonly string[] {
  return after.environmentIds.flatMap((id, at) => {
    const [old, fresh] = [before.line.cells[before.environmentIds.indexOf(id)], after.line.cells[at]];
    return old && fresh && comparableValue(before.line, old) !== comparableValue(after.line, fresh)
      ? [`${after.line.name} ${id}`]
      : [];
  });
}

/** Returns a comparable form of the value of a cell: its text, or for a secret the versions in its row. */
function comparableValue({ cells }: MatrixRow, cell: ShownCell): string {
  const { states, text, problem, environmentName, projectName, ledgerId } = cell;
  const kinds = states.filter(
    (state) => state !== 'own' && state !== 'inherited' && state !== 'redundant' && state !== 'differs',
  );
  if (!states.includes('secret')) return JSON.stringify([kinds, text, problem]);
  const versions = cells.map(({ ledgerId: version }) => version);
  return JSON.stringify([kinds, ledgerId ?? [environmentName, projectName, versions]]);
}
