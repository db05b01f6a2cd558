import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, Suspense, useCallback, useMemo, useRef } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import { viewerQuery } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { ReviewBar } from '../../kit/drafts/review-bar.tsx';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { AddRows } from './add-rows.tsx';
import { Explanation, findExplained } from './explanation.tsx';
import { Grid } from './grid.tsx';
import type { GridHandle } from './grid-props.ts';
import { warn } from './grid-state.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import { groupActions } from './group-actions.ts';
import { inspectCell } from './inspected-cell.ts';
import styles from './matrix-page.module.css';
import { StatusLine } from './status-line.tsx';
import { Toolbar } from './toolbar.tsx';
import { useCellActions } from './use-cell-actions.ts';
import { useFocusOnOpen } from './use-focus-on-open.ts';
import { useFreshCells } from './use-fresh-cells.ts';
import { useGridState } from './use-grid-state.ts';
import type { MatrixRead } from './use-matrix.ts';
import { useRangeActions } from './use-range-actions.tsx';
import { useShownMatrix } from './use-shown-matrix.ts';

const EmptyMatrix = lazyPart(async () => (await import('./empty-matrix.tsx')).EmptyMatrix);
const WhenEmpty = (props: ComponentProps<typeof EmptyMatrix>) => (
  <Suspense>
    <EmptyMatrix {...props} />
  </Suspense>
);

export function ProjectMatrix({ project }: { readonly project: ListedProject }) {
  const shownMatrix = useShownMatrix(project);
  const { error, retry } = shownMatrix.matrix;
  if (error) return <ErrorMessage error={error} reset={retry} />;
  return <ShownMatrix {...{ project, shown: shownMatrix }} />;
}

interface ShownMatrixProps {
  readonly project: ListedProject;
  readonly shown: ReturnType<typeof useShownMatrix>;
}

/** The grid and its state. A move through the cells renders this component, but not the one that reads the rows. */
function ShownMatrix({ project, shown: shownMatrix }: ShownMatrixProps) {
  const {
    search,
    find,
    isNow,
    moment: pointInTime,
    isNarrow,
    environments,
    matrix,
    columns,
    collapsing,
    setCollapsed,
  } = shownMatrix;
  const grid = useRef<GridHandle>(null);
  const { state, dispatch } = useGridState({ matrix, columns, search, onSearch: find });
  const handle = useDrafts();
  const isReadOnly = useIsReadOnly(project.id, isNow);
  // Drafts change the present, so pages of the past hide them.
  const hasDrafts = isNow && (handle.drafts.size > 0 || handle.discarded > 0);
  const onWarn = (text: string) => warn(dispatch, text);
  const drafting = useCellActions({ project, matrix, columns, handle, environments, isNow, onWarn });
  const { conflicts, following } = drafting;
  const isFresh = useFreshCells(matrix);
  const revealOf = useCallback(
    ({ parameterId }: MatrixRow, { id: environment }: ColumnOfGrid): SecretLocation => ({
      ...{ projectId: project.id, parameterId, environment, pointInTime },
    }),
    [project.id, pointInTime],
  );
  const data = { project, matrix, columns, widths: shownMatrix.widths, drafting, isFresh, revealOf };

  const groups = useMemo(() => groupActions(matrix, setCollapsed), [matrix, setCollapsed]);
  const pages = useRowPages(project, columns[state.active.column]?.name);
  const { actions, dialogs } = useRangeActions({ state, dispatch, data, ...pages });
  const leaveToolbar = useFocusOnOpen(grid, matrix.isPending);
  const explained = state.explained && findExplained(project, environments, state.explained, pointInTime);
  return (
    <div className={styles.page} data-panel={explained ? true : undefined}>
      <Toolbar
        {...{ project, environments, search, isNarrow, groups }}
        defaults={collapsing.defaults}
        {...rowCount(matrix)}
        onSearch={find}
        onLeave={leaveToolbar}
      />
      <div className={styles.middle}>
        <Grid
          {...{ state, dispatch, data, actions, groups }}
          columnActions={shownMatrix.columnActions}
          onVisibleRows={shownMatrix.setVisibleLines}
          hasFoot={hasDrafts}
          handle={grid}
          lead={!isReadOnly && <AddRows {...{ project, columns, environments, handle, matrix, conflicts }} />}
        />
        {rowCount(matrix).count === 0 && !matrix.isOld && <WhenEmpty {...{ project, search, onSearch: find }} />}
        {hasDrafts && <ReviewBar {...{ handle, conflicts, following }} />}
      </div>
      <StatusLine
        {...{ state, dispatch, grid, isReadOnly }}
        inspected={inspectCell(data, state.hovered ?? state.active, pointInTime)}
        problem={matrix.partError?.message ?? collapsing.warning}
      />
      {dialogs}
      {explained && <Explanation location={explained} {...{ state, dispatch, data, grid, find }} />}
    </div>
  );
}

/** Returns how the export of some rows is opened, and how an applied change of them is confirmed. */
function useRowPages({ name }: ListedProject, environmentName: string | undefined) {
  const navigate = useNavigate();
  return {
    onExport: (names: readonly string[]) =>
      void navigate({
        to: '/projects/$name/export',
        params: { name },
        search: ({ at }) => ({ at, env: environmentName, selected: names.length }),
        state: { names },
      }),
    onApplied: (applied: number) => void navigate({ to: '.', search: (old) => old, replace: true, state: { applied } }),
  };
}

function useIsReadOnly(projectId: string, isNow: boolean): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return !isNow || !mayWrite(viewer, { projectId });
}

/** Returns the number of rows, and whether it is that of an earlier request. */
const rowCount = ({ isPending, isOld, lines }: MatrixRead) => ({ count: isPending ? undefined : lines.total, isOld });
