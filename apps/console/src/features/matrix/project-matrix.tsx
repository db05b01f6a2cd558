import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import { viewerQuery } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { useDrafts } from '../../kit/drafts/drafts.ts';
import { ReviewBar } from '../../kit/drafts/review-bar.tsx';
import type { MomentArgs } from '../../lib/moment.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { AddRows } from './add-rows.tsx';
import { describeRows } from './cell-range.ts';
import { Explanation, explainedPlace } from './explanation.tsx';
import { Grid } from './grid.tsx';
import type { GridHandle } from './grid-props.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import { groupActions } from './group-actions.ts';
import styles from './matrix-page.module.css';
import { type SelectedRows, StatusLine } from './status-line.tsx';
import { Toolbar } from './toolbar.tsx';
import { type ActiveCell, inspectedCell, useActiveCell } from './use-active-cell.ts';
import { useCellActions } from './use-cell-actions.ts';
import { useFocusOnOpen } from './use-focus-on-open.ts';
import { useFreshCells } from './use-fresh-cells.ts';
import type { MatrixRead } from './use-matrix.ts';
import type { RangeActions } from './use-range-actions.ts';
import { useRanges } from './use-ranges.ts';
import type { CellSelection } from './use-selection.ts';
import { useShownMatrix } from './use-shown-matrix.ts';

const EmptyMatrix = lazyPart(async () => (await import('./empty-matrix.tsx')).EmptyMatrix);
const WhenEmpty = (props: ComponentProps<typeof EmptyMatrix>) => (
  <Suspense>
    <EmptyMatrix {...props} />
  </Suspense>
);
const RangeDialog = lazyPart(async () => (await import('./range-dialog.tsx')).RangeDialog);
const RowsDialog = lazyPart(async () => (await import('./rows-dialog.tsx')).RowsDialog);

export function ProjectMatrix({ project }: { readonly project: ListedProject }) {
  const shown = useShownMatrix(project);
  const { search, find, isNow, moment, isNarrow, environments, matrix, columns, collapsing, widths, setCollapsed } =
    shown;
  const grid = useRef<GridHandle>(null);
  const cell = useActiveCell({ matrix, columns, search, onSearch: find });
  const { hovered, setHovered, warning, setWarning, onMove } = useInspection(cell);
  const handle = useDrafts();
  const isReadOnly = useIsReadOnly(project.id, isNow);
  // Drafts change the present, so pages of the past hide them.
  const hasDrafts = isNow && (handle.drafts.size > 0 || handle.discarded > 0);
  const drafting = useCellActions({ project, matrix, columns, handle, environments, isNow, onWarn: setWarning });
  const { conflicts, following } = drafting;
  const isFresh = useFreshCells(matrix);
  const revealOf = useRevealableCell(project.id, moment);

  const groups = useMemo(() => groupActions(matrix, setCollapsed), [matrix, setCollapsed]);
  const ranges = useRanges({
    ...{ projectId: project.id, cell: { ...cell, move: onMove }, matrix, columns, drafting, onWarn: setWarning },
    ...useRowPages(project, columns[cell.active.column]?.name),
  });
  const leaveToolbar = useFocusOnOpen(grid, matrix.isPending);
  if (matrix.error) return <ErrorMessage error={matrix.error} reset={matrix.retry} />;
  const explained = cell.explained && explainedPlace(project, environments, cell.explained, moment);
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
          label={withVisibleCharacters(`Parameters of ${project.name}, with the effective value in each environment`)}
          projectId={project.id}
          others={project.dependsOnName ?? 'other projects'}
          {...{ columns, widths, matrix, groups, isFresh, revealOf, onMove, ...ranges, ...drafting }}
          active={cell.active}
          hovered={hovered}
          columnActions={shown.columnActions}
          onPoint={setHovered}
          onStage={drafting.stage}
          isExplaining={cell.explained !== null}
          onExplain={cell.toggle}
          onClose={cell.close}
          onRefuse={setWarning}
          onVisibleRows={shown.setVisibleLines}
          hasFoot={hasDrafts}
          handle={grid}
          lead={!isReadOnly && <AddRows {...{ project, columns, environments, handle, matrix, conflicts }} />}
        />
        {rowCount(matrix).count === 0 && !matrix.isOld && <WhenEmpty {...{ project, search, onSearch: find }} />}
        {hasDrafts && <ReviewBar {...{ handle, conflicts, following }} />}
      </div>
      <StatusLine
        focused={inspectedCell(hovered ?? cell.active, { matrix, columns, moment, drafting })}
        warning={warning ?? matrix.partError?.message ?? collapsing.warning}
        notice={ranges.notice}
        isReadOnly={isReadOnly}
        rows={selectedRows(ranges.selection, matrix.lines, grid)}
      />
      <RangeDialogs projectId={project.id} actions={ranges.actions} />
      {explained && <Explanation {...{ explained, cell, matrix, columns, drafting, grid, find }} />}
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

/** Describes the selected rows for the status line. */
function selectedRows(
  { hasRows, range, clear }: CellSelection,
  lines: MatrixRead['lines'],
  grid: React.RefObject<GridHandle | null>,
): SelectedRows | null {
  if (!hasRows) return null;
  return {
    words: describeRows(range, lines.total, lines.hiddenIn(range)),
    onMenu: (at) => grid.current?.openMenu(at),
    onClear: () => {
      clear();
      grid.current?.focus();
    },
  };
}

/** Returns the cell below the pointer and the last warning, which both end when the active cell moves. */
function useInspection(cell: ActiveCell) {
  const [hovered, setHovered] = useState<GridPosition | null>(null);
  const [warning, setWarning] = useState<string | null>(null);
  const onMove = (place: GridPosition) => {
    setWarning(null);
    // A move by keyboard inspects the active cell instead of the cell below the pointer.
    setHovered(null);
    cell.move(place);
  };
  return { hovered, setHovered, warning, setWarning, onMove };
}

function useIsReadOnly(projectId: string, isNow: boolean): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return !isNow || !mayWrite(viewer, { projectId });
}

/** Returns the number of rows, and whether it is that of an earlier request. */
const rowCount = ({ isPending, isOld, lines }: MatrixRead) => ({ count: isPending ? undefined : lines.total, isOld });

function RangeDialogs({ projectId, actions }: { readonly projectId: string; readonly actions: RangeActions }) {
  const { proposal, answer, referencesDialog, onRows, closeRows, copyTo, onApplied } = actions;
  return (
    <Suspense>
      {referencesDialog}
      {proposal && <RangeDialog {...proposal} onAnswer={answer} />}
      {onRows && <RowsDialog {...onRows} {...{ projectId, onApplied }} onCopy={copyTo} onClose={closeRows} />}
    </Suspense>
  );
}

function useRevealableCell(projectId: string, moment: MomentArgs) {
  return useCallback(
    ({ parameterId }: MatrixRow, { id: environment }: ColumnOfGrid): SecretLocation => ({
      projectId,
      parameterId,
      environment,
      moment,
    }),
    [projectId, moment],
  );
}
