import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DraftRefusal } from '../drafts/apply-drafts.ts';
import { changesNothing, type Draft, type DraftPlace, type DraftWish, draftKey } from '../drafts/draft.ts';
import type { DraftsHandle } from '../drafts/drafts.ts';
import type { ListedProject } from '../projects/project-forest.ts';
import { viewerQuery } from '../session/session.ts';
import { mayWrite } from './access.ts';
import { type MatrixLine, ownContent, type ShownCell } from './cell.ts';
import type { ColumnOfGrid, GridPlace } from './grid-types.ts';
import type { MatrixRead } from './use-matrix.ts';

interface DraftingProps {
  readonly project: ListedProject;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly handle: DraftsHandle;
  readonly refusals: ReadonlyMap<string, DraftRefusal>;
  readonly isNow: boolean;
  onWarn(words: string | null): void;
}

/** What can be done with a cell, beside explaining it. */
export interface Drafting {
  draftOf(line: MatrixLine, column: ColumnOfGrid): Draft | undefined;
  /** Why the draft of a cell was refused; undefined once it was changed. */
  refusalOf(line: MatrixLine, column: ColumnOfGrid): string | undefined;
  /** Why a cell cannot be written; null where it can. */
  whyNot(line: MatrixLine, column: ColumnOfGrid): string | null;
  stage(place: GridPlace, wish: DraftWish): void;
}

/** Makes drafts of what is done to cells. Nothing here is written anywhere but on this browser. */
export function useDrafting({ project, matrix, columns, handle, refusals, isNow, onWarn }: DraftingProps): Drafting {
  const { data: viewer } = useQuery(viewerQuery);
  const { drafts } = handle;
  const { id: projectId } = project;
  const draftOf = useCallback(
    (line: MatrixLine, column: ColumnOfGrid) => (isNow ? drafts.get(keyOf(projectId, line, column)) : undefined),
    [drafts, projectId, isNow],
  );
  const refusalOf = useCallback(
    (line: MatrixLine, column: ColumnOfGrid) => {
      const key = keyOf(projectId, line, column);
      const refusal = refusals.get(key);
      return refusal && drafts.get(key) === refusal.draft ? refusal.message : undefined;
    },
    [drafts, refusals, projectId],
  );
  const whyNot = (line: MatrixLine, column: ColumnOfGrid): string | null => {
    if (!isNow) return 'The past cannot be changed. Go back to now to edit.';
    if (line.cells[column.at]?.states.includes('closed')) return `${column.name} is closed to you.`;
    return mayWrite(viewer, [projectId, column.id]) ? null : `You may not change values here: your role only reads.`;
  };
  const stage = ({ row, column: at }: GridPlace, wish: DraftWish) => {
    const [line, column] = [matrix.rowAt(row), columns[at]];
    const cell = line?.cells[at];
    if (!line || !column || !cell) return;
    const place = placeOf(project, line, column);
    const key = draftKey(place);
    if (!changesNothing(wish, line.secret, ownContent(cell))) {
      handle.stage({ ...place, wish, base: baseOf(cell, matrix.revisionAt(row)) });
    } else if (drafts.has(key)) handle.discard([key]);
    else if (wish.kind === 'unset') onWarn(`Nothing is set for ${line.name} in ${column.name}: it inherits already.`);
  };
  return { draftOf, refusalOf, whyNot, stage };
}

function placeOf(project: ListedProject, line: MatrixLine, column: ColumnOfGrid): DraftPlace {
  return {
    projectId: project.id,
    projectName: project.name,
    environmentId: column.id,
    environmentName: column.name,
    parameterId: line.parameterId,
    name: line.name,
    isSecret: line.secret,
    isForeign: line.projectId !== project.id,
  };
}

const keyOf = (projectId: string, { parameterId }: MatrixLine, { id: environmentId }: ColumnOfGrid) =>
  draftKey({ projectId, parameterId, environmentId });

function baseOf({ states, text, raw, valueId, ledgerId }: ShownCell, revision: number): Draft['base'] {
  const isKnown = !states.includes('secret') && !states.includes('missing');
  return { revision, valueId, ledgerId, ...(isKnown && { text: raw ?? text }) };
}
