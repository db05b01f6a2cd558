import { type CellDisplay, chooseDisplay, displayOfEdit, type MatrixRow, type ShownCell } from '../../data/cell.ts';
import { draftText } from '../../kit/planned/draft-descriptions.ts';
import type { Draft } from '../../lib/draft.ts';
import { type ListedEnvironment, listDescendants } from '../../lib/environment-tree.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import { type DraftsOfRow, type EnvironmentPaths, inheritedDraft } from './inherited-draft.ts';

/** The effect of a draft that removes a value. */
export type Removal =
  /** Another value is inherited. */
  | {
      readonly kind: 'inherits';
      /** Null for an explicit null; undefined for a secret or dynamic value. */
      readonly text: string | null | undefined;
      readonly from: string;
    }
  /** Another draft is inherited. */
  | { readonly kind: 'draft'; readonly draft: Draft }
  | {
      readonly kind: 'nothing';
      /** The number of visible environments that lose their value. */
      readonly count: number;
      /** Whether no other environment can lose its value, because all environments below are visible. */
      readonly isAll: boolean;
    }
  /** It depends on cells that are hidden or that the user has no access to. */
  | { readonly kind: 'unknown' };

/** The environments and columns of a matrix. */
export interface RemovalContext {
  readonly environments: readonly ListedEnvironment[];
  readonly columns: readonly ColumnOfGrid[];
  readonly paths: EnvironmentPaths;
}

const UNKNOWN: Removal = { kind: 'unknown' };

/** Returns the effect of a draft that removes the value of a cell in this row. */
export function describeRemoval(
  line: MatrixRow,
  removed: Draft,
  drafts: DraftsOfRow,
  context: RemovalContext,
): Removal {
  return (
    inheritedInstead(line, removed.environmentId, drafts, context) ?? {
      kind: 'nothing',
      ...countLoss(line, removed, drafts, context),
    }
  );
}

/** The marks of a cell that change what it shows. */
interface DisplayedMarks {
  readonly draft?: Draft | undefined;
  readonly followed?: Draft | undefined;
  readonly removal?: Removal | undefined;
}

/** Returns how a cell is shown after its draft or an inherited one is applied; as it is if there is none. */
export function displayWithDrafts(
  cell: ShownCell,
  isSecret: boolean,
  { draft, followed, removal }: DisplayedMarks,
): CellDisplay {
  const edit = (draft ?? followed)?.edit;
  if (removal) return displayOfRemoval(removal, isSecret);
  return edit ? displayOfEdit(edit, isSecret) : chooseDisplay(cell);
}

/** Returns how a cell is shown after the removal is applied. */
function displayOfRemoval(removal: Removal, isSecret: boolean): CellDisplay {
  switch (removal.kind) {
    case 'inherits':
      return { kind: 'inherits', label: describeInherited(removal) };
    case 'draft':
      return displayOfEdit(removal.draft.edit, isSecret);
    default:
      return { kind: 'removed', isLost: removal.kind === 'nothing' };
  }
}

/** Returns the inherited text, or its source if the text is secret or dynamic. */
export const describeInherited = ({ text, from }: Extract<Removal, { readonly kind: 'inherits' }>): string =>
  text === undefined ? `from ${from}` : draftText(text).description;

/** Returns what an environment inherits without its own value; null for nothing. */
function inheritedInstead(
  line: MatrixRow,
  environmentId: string,
  drafts: DraftsOfRow,
  context: RemovalContext,
): Removal | null {
  const next = cellIn(line, environmentId, context)?.next;
  if (!next || next.state === 'closed') return UNKNOWN;
  const environmentName = context.environments.find(({ id }) => id === environmentId)?.name ?? '';
  const isSet = next.state !== 'unset';
  const from = next.environmentName ?? environmentName;
  const inherited: Removal = { kind: 'inherits', text: next.state === 'NULL' ? null : (next.text ?? undefined), from };
  // Another project has a value in the same environment.
  if (isSet && from === environmentName) return inherited;
  for (const { id, name } of context.paths.above(environmentId)) {
    const draft = drafts.ownDrafts.get(id) ?? drafts.shown.get(id);
    if (draft && draft.edit.kind !== 'unset') return { kind: 'draft', draft };
    if (isSet && name === from) return draft ? inheritedInstead(line, id, drafts, context) : inherited;
  }
  return isSet ? UNKNOWN : null;
}

function countLoss(
  line: MatrixRow,
  removed: Draft,
  drafts: DraftsOfRow,
  { environments, columns, paths }: RemovalContext,
) {
  const isLost = (column: ColumnOfGrid) =>
    drafts.ownDrafts.get(column.id) === removed || inheritedDraft(line, column, drafts, paths) === removed;
  const visible = new Set(
    columns.filter(({ at }) => line.cells[at]?.states.includes('closed') === false).map(({ id }) => id),
  );
  return {
    count: columns.filter(isLost).length,
    isAll: listDescendants(environments, removed.environmentId).every(({ id }) => visible.has(id)),
  };
}

function cellIn(line: MatrixRow, environmentId: string, { columns }: RemovalContext): ShownCell | undefined {
  const column = columns.find(({ id }) => id === environmentId);
  return column && line.cells[column.at];
}
