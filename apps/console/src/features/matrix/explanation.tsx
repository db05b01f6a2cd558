import { type RefObject, Suspense } from 'react';
import type { CellLocation } from '../../data/explanation.ts';
import type { ExplainActions } from '../../kit/explain/explain-verbs.tsx';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { PointInTimeArgs } from '../../lib/point-in-time.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { draftSentence } from './draft-sentence.ts';
import { findTarget, type GridData } from './grid-data.ts';
import type { GridHandle } from './grid-props.ts';
import { type GridDispatch, type GridState, isActiveExplained } from './grid-state.ts';
import type { CellNames } from './grid-types.ts';
import { inspectCell } from './inspected-cell.ts';
import styles from './matrix-page.module.css';
import type { MatrixSearch } from './matrix-search.ts';

const ExplainPanel = lazyPart(async () => (await import('../../kit/explain/explain-panel.tsx')).ExplainPanel);

interface ExplanationProps extends ExplainedCell {
  readonly location: CellLocation;
  find(search: Partial<MatrixSearch>): void;
}

/** The panel beside the grid that explains a cell. */
export function Explanation({ location, find, ...context }: ExplanationProps) {
  const { state, dispatch, data, grid } = context;
  const environmentName = state.explained?.in;
  const close = () => {
    dispatch({ kind: 'closeExplanation' });
    grid.current?.focus();
  };
  const inspected = isActiveExplained(state) ? inspectCell(data, state.active, location.pointInTime) : null;
  const onFind = () => find({ q: location.name, state: undefined, envs: undefined, env: environmentName });
  return (
    <Suspense fallback={<aside className={styles.panel} />}>
      <ExplainPanel
        key={JSON.stringify(location)}
        place={location}
        environmentName={environmentName ?? ''}
        verbs={explainActions(context, onFind)}
        draft={inspected && draftSentence(inspected)}
        onClose={close}
      />
    </Suspense>
  );
}

/** Returns the location of the explained cell; null if its environment does not exist. */
export function findExplained(
  { id: projectId }: ListedProject,
  environments: readonly EnvironmentColumn[],
  names: CellNames,
  pointInTime: PointInTimeArgs,
): CellLocation | null {
  const environment = environments.find(({ name }) => name === names.in);
  return environment ? { projectId, environmentId: environment.id, name: names.cell, pointInTime } : null;
}

interface ExplainedCell {
  readonly state: GridState;
  readonly dispatch: GridDispatch;
  readonly data: GridData;
  readonly grid: RefObject<GridHandle | null>;
}

/** Returns the actions that the panel offers for the explained cell. `onFind` shows that cell in the grid if it is hidden. */
function explainActions({ state, data, grid }: ExplainedCell, onFind: () => void): ExplainActions {
  const { active } = state;
  const target = isActiveExplained(state) ? findTarget(data, active) : null;
  const canWrite = target !== null && data.drafting.whyNot(target.line, target.column) === null;
  return {
    canWrite,
    edit: canWrite ? () => grid.current?.edit() : null,
    unset: canWrite ? () => data.drafting.stage(target, { kind: 'unset' }) : null,
    find: target ? null : onFind,
    goTo: (environmentName) => {
      const column = data.columns.findIndex(({ name }) => name === environmentName);
      if (!target || column === -1) return null;
      return () => {
        grid.current?.moveTo({ row: active.row, column });
        if (canWrite) grid.current?.edit({ row: active.row, column });
      };
    },
  };
}
