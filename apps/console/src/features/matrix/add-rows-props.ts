import type { DraftsHandle } from '../../kit/drafts/drafts.ts';
import type { DraftConflict } from '../../lib/draft-status.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { MatrixRead } from './use-matrix.ts';

export interface AddRowsProps {
  readonly project: ListedProject;
  readonly columns: readonly ColumnOfGrid[];
  readonly environments: readonly EnvironmentColumn[];
  readonly handle: DraftsHandle;
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
  readonly matrix: MatrixRead;
}
