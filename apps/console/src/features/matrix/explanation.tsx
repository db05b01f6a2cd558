import { Suspense } from 'react';
import { flushSync } from 'react-dom';
import type { CellLocation } from '../../data/explanation.ts';
import type { ExplainActions } from '../../kit/explain/explain-panel.tsx';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { MomentArgs } from '../../lib/moment.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { draftSentence } from './draft-sentence.ts';
import type { GridHandle } from './grid-props.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import styles from './matrix-page.module.css';
import type { MatrixSearch } from './matrix-search.ts';
import { type ActiveCell, type ExplainedNames, inspectedCell } from './use-active-cell.ts';
import type { CellActions } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';

const ExplainPanel = lazyPart(async () => (await import('../../kit/explain/explain-panel.tsx')).ExplainPanel);

interface ExplanationProps extends ExplainedCell {
  readonly explained: CellLocation;
  find(search: Partial<MatrixSearch>): void;
}

/** The panel beside the grid that explains a cell. */
export function Explanation({ explained, find, ...around }: ExplanationProps) {
  const environmentName = around.cell.explained?.in;
  const close = () => {
    around.cell.close();
    around.grid.current?.focus();
  };
  const inspected = around.cell.isExplained
    ? inspectedCell(around.cell.active, { ...around, moment: explained.moment })
    : null;
  const onFind = () => find({ q: explained.name, state: undefined, envs: undefined, env: environmentName });
  return (
    <Suspense fallback={<aside className={styles.panel} />}>
      <ExplainPanel
        key={JSON.stringify(explained)}
        place={explained}
        environmentName={environmentName ?? ''}
        verbs={actionsOn(around, onFind)}
        draft={inspected && draftSentence(inspected)}
        onClose={close}
      />
    </Suspense>
  );
}

/** Returns the location of the explained cell; null if its environment does not exist. */
export function explainedPlace(
  { id: projectId }: ListedProject,
  environments: readonly EnvironmentColumn[],
  names: ExplainedNames,
  moment: MomentArgs,
): CellLocation | null {
  const environment = environments.find(({ name }) => name === names.in);
  return environment ? { projectId, environmentId: environment.id, name: names.cell, moment } : null;
}

interface ExplainedCell {
  readonly cell: ActiveCell;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly drafting: CellActions;
  readonly grid: React.RefObject<GridHandle | null>;
}

/** Returns the actions that the panel offers for the explained cell. `onFind` shows that cell in the grid if it is hidden. */
function actionsOn({ cell, matrix, columns, drafting, grid }: ExplainedCell, onFind: () => void): ExplainActions {
  const { row, column: at } = cell.active;
  const [line, column] = [matrix.rowAt(row), columns[at]];
  const isThere = cell.isExplained && line !== undefined && column !== undefined;
  const isOpen = isThere && drafting.whyNot(line, column) === null;
  return {
    canWrite: isOpen,
    edit: isOpen ? () => grid.current?.edit() : null,
    unset: isOpen ? () => drafting.stage({ line, column, revision: matrix.revisionAt(row) }, { kind: 'unset' }) : null,
    find: isThere ? null : onFind,
    goTo: (environmentName) => {
      if (!isThere) return null;
      const place = columns.findIndex(({ name }) => name === environmentName);
      if (place === -1) return null;
      return () => {
        // The editor opens in the active cell, so the move must be rendered first.
        flushSync(() => cell.move({ row, column: place }));
        if (isOpen) grid.current?.edit();
        else grid.current?.focus();
      };
    },
  };
}
