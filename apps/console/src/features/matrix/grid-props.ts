import type { Ref } from 'react';
import type { MatrixLine } from '../../data/cell.ts';
import type { SecretCell } from '../../data/explanation.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { CellMarks, DraftTarget } from './use-drafting.ts';
import type { MatrixRead } from './use-matrix.ts';

export interface GridProps {
  readonly label: string;
  readonly projectId: string;
  /** Where rows that the project does not own come from. */
  readonly others: string;
  readonly columns: readonly ColumnOfGrid[];
  readonly matrix: MatrixRead;
  readonly active: GridPosition;
  readonly draftOf: (line: MatrixLine, column: ColumnOfGrid) => Draft | undefined;
  readonly marksOf: (line: MatrixLine, column: ColumnOfGrid) => CellMarks;
  /** Whether it reads otherwise than a moment ago. */
  readonly isFresh: (line: MatrixLine, column: ColumnOfGrid) => boolean;
  /** Where the text of a secret can be read. */
  readonly revealOf: (line: MatrixLine, column: ColumnOfGrid) => SecretCell;
  /** Why a cell cannot be written; null where it can. */
  readonly whyNot: (line: MatrixLine, column: ColumnOfGrid) => string | null;
  onMove(place: GridPosition): void;
  /** The cell that the pointer is at, or none. */
  onPoint(place: GridPosition | null): void;
  onStage(target: DraftTarget, wish: DraftEdit): void;
  onExplain(): void;
  /** Stops explaining. */
  onClose(): void;
  onUndo(): void;
  onRedo(): void;
  onRefuse(words: string): void;
  /** The rows that should be read. */
  onSight(first: number, last: number): void;
  /** Whether something floats above the last lines. */
  readonly hasFoot: boolean;
  readonly handle: Ref<GridHandle>;
}

/** What others may ask of the grid. */
export interface GridHandle {
  focus(): void;
  edit(): void;
}
