import { Lock } from 'lucide-react';
import { memo } from 'react';
import { findOrigin, type MatrixRow, sourceColumn } from '../../data/cell.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './grid.module.css';
import { GridCell } from './grid-cell.tsx';
import type { ColumnOfGrid } from './grid-types.ts';
import { RowCheck } from './row-check.tsx';
import type { CellMarks } from './use-cell-actions.ts';

interface GridRowProps {
  readonly row: number;
  readonly top: number;
  /** The row; undefined while it is being loaded. */
  readonly line: MatrixRow | undefined;
  readonly columns: readonly ColumnOfGrid[];
  readonly first: number;
  readonly last: number;
  /** The number of pinned columns, which are always visible. */
  readonly pinned: number;
  readonly projectId: string;
  /** The column of the active cell, if it is in this row. */
  readonly active: number | null;
  /** The position of the line among the lines that screen readers count. */
  readonly position: number;
  /** The level of the row in a grid with groups; undefined in other grids. */
  readonly level: number | undefined;
  /** Whether the whole row is selected. */
  readonly isChecked: boolean;
  /** The first and the last selected column, if the row is in a selected range. */
  readonly selectedFrom: number | null;
  readonly selectedTo: number | null;
  /** The column below the pointer. */
  readonly hovered: number | null;
  readonly marksOf: (line: MatrixRow, column: ColumnOfGrid) => CellMarks;
  readonly isFresh: (line: MatrixRow, column: ColumnOfGrid) => boolean;
  readonly revealOf: (line: MatrixRow, column: ColumnOfGrid) => SecretLocation;
  readonly editor: React.ReactNode;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { line, columns, first, last, pinned, active, hovered, selectedFrom, selectedTo } = props;
  const inspected = hovered ?? active;
  const cell = inspected === null ? undefined : line?.cells[inspected];
  const source = cell && inspected !== null ? sourceColumn(cell, inspected, columns) : null;
  const shownColumns = [...columns.slice(0, pinned), ...columns.slice(Math.max(first, pinned), last + 1)];
  // The active cell stays in the document when it is scrolled out of view, because it has the focus.
  const beyond = active !== null && active >= pinned && (active < first || active > last) ? columns[active] : undefined;
  return (
    <div
      role="row"
      aria-rowindex={props.position + 1}
      aria-level={props.level}
      data-row={props.row}
      data-active={active !== null || undefined}
      data-editing={props.editor !== null || undefined}
      data-foreign={(line && line.projectId !== props.projectId) || undefined}
      className={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <RowHead line={line} projectId={props.projectId} isChecked={props.isChecked} />
      {(beyond ? [...shownColumns, beyond] : shownColumns).map((column) => {
        const at = column.at;
        const shownCell = line?.cells[at];
        return (
          <GridCell
            // The key is the position, so that the focus stays in place when the columns change.
            key={at}
            column={at}
            line={line}
            cell={shownCell}
            origin={shownCell && findOrigin(shownCell)}
            {...(line && props.marksOf(line, column))}
            isFresh={line !== undefined && props.isFresh(line, column)}
            isActive={active === at}
            isHovered={hovered === at}
            isSelected={selectedFrom !== null && selectedTo !== null && at >= selectedFrom && at <= selectedTo}
            isPinned={column.isPinned}
            secret={active === at && line ? props.revealOf(line, column) : null}
            isSource={source === at}
            editor={active === at ? props.editor : null}
          />
        );
      })}
    </div>
  );
});

type RowHeadProps = Pick<GridRowProps, 'line' | 'projectId' | 'isChecked'>;

/** The name of a row. It is memoized, because drafts render all rows. */
const RowHead = memo(function RowHead({ line, projectId, isChecked }: RowHeadProps) {
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      className={styles.name}
      title={line?.description ? withVisibleCharacters(line.description) : undefined}
    >
      {line ? (
        <>
          <RowCheck of={line.name} selected={isChecked ? 'all' : 'none'} />
          <span className={styles.key} data-action="explain">
            <UserText>{line.name}</UserText>
          </span>{' '}
          {line.secret && <Lock size={11} role="img" aria-label="secret" className={styles.faint} />}
          {line.projectId !== projectId ? (
            <span className={styles.owner}>
              <UserText>{line.projectName}</UserText>
            </span>
          ) : (
            line.type !== 'string' && <span className={styles.type}>{line.type}</span>
          )}
        </>
      ) : (
        <span className={styles.waiting}>
          <span className="heard">Loading</span>
        </span>
      )}
    </div>
  );
});
