import { moveTo, resize, showOnly } from './column-layout.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { MatrixSearch } from './matrix-search.ts';
import type { CollapsedColumns } from './use-collapsed-columns.ts';

/** The order of the rows: by the values of an environment, or by name. */
export interface Sorting {
  readonly by: string | undefined;
  readonly isDescending: boolean;
}

/** The changes of columns with the mouse. The menu of columns offers the same for the keyboard. */
export interface ColumnActions {
  readonly sorting: Sorting;
  onSort(sorting: Sorting): void;
  /** Moves a column to the position of another one. */
  onMove(name: string, target: string): void;
  /** Sets the width of a column in pixels. */
  onResize(name: string, pixels: number): void;
  /** The ids of the collapsed environments; null if no column can be collapsed. */
  readonly collapsed: ReadonlySet<string> | null;
  /** Hides the environments below a column, or shows them again. */
  onCollapse(column: Pick<ColumnOfGrid, 'id' | 'name'>, isCollapsed: boolean): void;
}

interface ColumnContext {
  readonly columns: readonly ColumnOfGrid[];
  readonly collapsing: CollapsedColumns;
  readonly search: Pick<MatrixSearch, 'sort' | 'order' | 'width'>;
  find(next: Partial<MatrixSearch>): void;
}

/** Returns the actions, which change the search parameters. */
export function columnActions({ columns, collapsing, search, find }: ColumnContext): ColumnActions {
  const names = columns.map(({ name }) => name);
  return {
    sorting: { by: search.sort, isDescending: search.order === 'desc' },
    onSort: ({ by, isDescending }) => find({ sort: by, order: isDescending ? 'desc' : undefined }),
    onMove: (name, target) => find(showOnly(moveTo(name, target, names), collapsing.defaults)),
    onResize: (name, pixels) => find(resize(name, pixels, search.width)),
    collapsed: collapsing.ids,
    onCollapse: collapsing.set,
  };
}
