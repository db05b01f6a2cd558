import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type MatrixRow, ownContent, type ShownCell } from '../../data/cell.ts';
import { currentCellKeys } from '../../data/current-cells.ts';
import { viewerQuery } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { useDraftErrors } from '../../kit/drafts/draft-errors.ts';
import type { DraftsHandle } from '../../kit/drafts/drafts.ts';
import { useConflicts } from '../../kit/drafts/use-conflicts.ts';
import { useDraftChecks } from '../../kit/drafts/use-draft-checks.ts';
import { type Draft, type DraftCell, type DraftEdit, draftKey, hasNoEffect, type TypedDraft } from '../../lib/draft.ts';
import type { DraftConflict } from '../../lib/draft-status.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import { type DraftsOfRow, EnvironmentPaths, inheritedDraft } from './inherited-draft.ts';
import { describeRemoval, type Removal } from './removal.ts';
import type { MatrixRead } from './use-matrix.ts';

interface DraftingProps {
  readonly project: ListedProject;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly handle: DraftsHandle;
  readonly environments: readonly EnvironmentColumn[];
  readonly isNow: boolean;
  onWarn(text: string): void;
}

/** The draft of a cell and its state. */
export interface CellMarks {
  readonly draft: Draft | undefined;
  /** The reason why the draft was rejected; undefined if it has changed since. */
  readonly error: string | undefined;
  /** The conflict with a change of another user. */
  readonly conflict: DraftConflict | undefined;
  /** The draft that the cell would inherit from. */
  readonly followed: Draft | undefined;
  /** The effect of that draft if it removes a value. */
  readonly removal: Removal | undefined;
}

/** Drafts and actions on cells. */
export interface CellActions {
  draftOf(line: MatrixRow, column: ColumnOfGrid): Draft | undefined;
  marksOf(line: MatrixRow, column: ColumnOfGrid): CellMarks;
  /** The conflicts by draft key. */
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
  /** The number of loaded cells that would inherit a draft. */
  readonly following: number;
  /** Returns the reason why a cell is read-only; null if it is not. */
  whyNot(line: MatrixRow, column: ColumnOfGrid): string | null;
  stage(target: DraftTarget, edit: DraftEdit): void;
  /** Stages drafts as one step of undo. Returns the number of cells that they change. */
  stageAll(edits: readonly CellEdit[]): number;
  undo(): void;
  redo(): void;
}

/** A cell in the state in which the user started to edit it. */
export interface DraftTarget {
  readonly line: MatrixRow;
  readonly column: ColumnOfGrid;
  /** The revision of the loaded cell. */
  readonly revision: number;
}

/** An edit of a cell. */
export interface CellEdit {
  readonly target: DraftTarget;
  readonly edit: DraftEdit;
}

/** Manages the drafts of a matrix. Drafts exist only in this browser until they are applied. */
export function useCellActions(props: DraftingProps): CellActions {
  const { project, matrix, handle, isNow, onWarn } = props;
  const client = useQueryClient();
  const { data: viewer } = useQuery(viewerQuery);
  const { drafts } = handle;
  const draftErrors = useDraftErrors();
  const conflicts = useConflicts(handle);
  useDraftChecks(drafts);
  const { id: projectId } = project;
  const draftOf = useCallback(
    (line: MatrixRow, column: ColumnOfGrid) => (isNow ? drafts.get(createKey(projectId, line, column)) : undefined),
    [drafts, projectId, isNow],
  );
  const { inheritedBy, removalBy, following } = useInheritedDrafts(props);
  const marksOf = useCallback(
    (line: MatrixRow, column: ColumnOfGrid): CellMarks => {
      const key = createKey(projectId, line, column);
      const draft = draftOf(line, column);
      const error = draftErrors.get(key);
      const followed = inheritedBy(line, column);
      const effective = draft ?? followed;
      return {
        draft,
        error: draft && draft === error?.draft ? error.message : undefined,
        conflict: draft && conflicts.get(key),
        followed,
        removal: effective?.edit.kind === 'unset' ? removalBy(line, effective) : undefined,
      };
    },
    [draftOf, draftErrors, conflicts, inheritedBy, removalBy, projectId],
  );
  const whyNot = (line: MatrixRow, column: ColumnOfGrid): string | null => {
    if (!isNow) return 'You can’t change the past. Go back to now to edit.';
    if (line.cells[column.at]?.states.includes('closed')) return `You don’t have access to ${column.name}.`;
    return mayWrite(viewer, { projectId, environmentId: column.id })
      ? null
      : 'You can’t change values here. Your role or grant is read-only.';
  };
  const stageAll = (edits: readonly CellEdit[]): number => {
    const staged: TypedDraft[] = [];
    const discarded: string[] = [];
    for (const { target, edit } of edits) {
      const { line, column, revision } = target;
      const cell = line.cells[column.at];
      if (!cell) continue;
      const place = createDraftCell(project, line, column);
      if (!hasNoEffect(edit, line.secret, ownContent(cell))) {
        staged.push({ ...place, edit, base: createBase(cell, revision) });
      } else if (drafts.has(draftKey(place))) discarded.push(draftKey(place));
    }
    handle.stage(staged, discarded);
    // A row that has been reloaded while the cell was edited may have a newer version, so the draft may be in conflict.
    if (edits.some(({ target }) => !isRead(matrix, target.line))) {
      void client.invalidateQueries({ queryKey: currentCellKeys.ofProject(projectId) });
    }
    return staged.length + discarded.length;
  };
  const stage = (target: DraftTarget, edit: DraftEdit) => {
    if (stageAll([{ target, edit }]) > 0 || edit.kind !== 'unset') return;
    onWarn(`${target.line.name} already inherits its value in ${target.column.name}.`);
  };
  // Undo changes drafts, which pages of the past hide.
  const { undo, redo } = isNow ? handle : NOT_NOW;
  return { draftOf, marksOf, conflicts, following, whyNot, stage, stageAll, undo, redo };
}

const NOT_NOW = { undo: () => {}, redo: () => {} };

const isRead = ({ parts }: MatrixRead, line: MatrixRow) => parts.some((part) => part?.lines.includes(line));

const NOTHING: ReadonlyMap<string, Draft> = new Map();

function useInheritedDrafts({ project, matrix, columns, handle, environments, isNow }: DraftingProps) {
  const paths = useMemo(() => new EnvironmentPaths(environments), [environments]);
  const [ownDrafts, inheritedDrafts] = useMemo(() => {
    const drafts = isNow ? [...handle.drafts.values()] : [];
    const isOwn = ({ projectId }: Draft) => projectId === project.id;
    // Overrides in other projects do not affect this project.
    return [
      byParameter(drafts.filter(isOwn)),
      byParameter(drafts.filter((draft) => !isOwn(draft) && !draft.isForeign)),
    ];
  }, [handle.drafts, project.id, isNow]);
  const draftsOf = useCallback(
    ({ parameterId }: MatrixRow): DraftsOfRow => ({
      ownDrafts: ownDrafts.get(parameterId) ?? NOTHING,
      shown: inheritedDrafts.get(parameterId) ?? NOTHING,
    }),
    [ownDrafts, inheritedDrafts],
  );
  const inheritedBy = useCallback(
    (line: MatrixRow, column: ColumnOfGrid) => inheritedDraft(line, column, draftsOf(line), paths),
    [draftsOf, paths],
  );
  const removalBy = useMemo(() => {
    // Returns the same object each time, so that cells are not rendered again.
    const cached = new WeakMap<MatrixRow, Map<Draft, Removal>>();
    return (line: MatrixRow, draft: Draft): Removal => {
      const ofLine = cached.get(line) ?? new Map<Draft, Removal>();
      const removal =
        ofLine.get(draft) ?? describeRemoval(line, draft, draftsOf(line), { environments, columns, paths });
      cached.set(line, ofLine.set(draft, removal));
      return removal;
    };
  }, [draftsOf, environments, columns, paths]);
  const { parts } = matrix;
  const inheriting = useMemo(
    () =>
      parts
        .flatMap((part) => part?.lines ?? [])
        .filter(({ parameterId }) => ownDrafts.has(parameterId) || inheritedDrafts.has(parameterId))
        .reduce((sum, line) => sum + columns.filter((column) => inheritedBy(line, column)).length, 0),
    [parts, columns, ownDrafts, inheritedDrafts, inheritedBy],
  );
  return { inheritedBy, removalBy, following: inheriting };
}

/** Groups drafts by parameter, then by environment. */
function byParameter(drafts: readonly Draft[]): ReadonlyMap<string, ReadonlyMap<string, Draft>> {
  const groups = Map.groupBy(drafts, ({ parameterId }) => parameterId);
  return new Map(
    [...groups].map(([id, parameterDrafts]) => [
      id,
      new Map(parameterDrafts.map((draft) => [draft.environmentId, draft])),
    ]),
  );
}

function createDraftCell(project: ListedProject, line: MatrixRow, column: ColumnOfGrid): DraftCell {
  return {
    projectId: project.id,
    projectName: project.name,
    environmentId: column.id,
    environmentName: column.name,
    parameterId: line.parameterId,
    name: line.name,
    isSecret: line.secret,
    isForeign: line.projectId !== project.id,
    type: line.type,
  };
}

const createKey = (projectId: string, { parameterId }: MatrixRow, { id: environmentId }: ColumnOfGrid) =>
  draftKey({ projectId, parameterId, environmentId });

/** Returns the state of a cell on which a draft is based. */
function createBase({ states, text, raw, valueId, ledgerId }: ShownCell, revision: number): Draft['base'] {
  const isKnown = !states.includes('secret') && !states.includes('missing');
  return { revision, valueId, ledgerId, ...(isKnown && { text: raw ?? text, dynamic: raw !== null }) };
}
