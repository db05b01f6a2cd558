import { Lock, X } from 'lucide-react';
import { useDraftErrors } from '../../kit/drafts/draft-errors.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import { draftKey } from '../../lib/draft.ts';
import { describeDraftConflict } from '../../lib/draft-status.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './add-rows.module.css';
import type { AddRowsProps } from './add-rows-props.ts';
import { ValueCells } from './value-cells.tsx';

/** The maximum number of new parameters that the grid shows. The review lists all of them. */
const SHOWN_MAX = 20;

/** Shows the parameters that the drafts would create. Their values can be edited until they are applied. */
export function NewRows(props: AddRowsProps) {
  const { project, handle } = props;
  const drafts = [...handle.drafts.values()].filter(({ isNew, projectId }) => isNew && projectId === project.id);
  const rows = [...Map.groupBy(drafts, ({ parameterId }) => parameterId)];
  return (
    <>
      {rows.slice(0, SHOWN_MAX).map(([id, rowDrafts]) => (
        <NewRow key={id} {...props} drafts={rowDrafts} />
      ))}
      {rows.length > SHOWN_MAX && (
        <div role="row" className={styles.add}>
          <div role="gridcell" className={styles.addCell}>
            {(rows.length - SHOWN_MAX).toLocaleString()} more new parameters are listed in the review.
          </div>
        </div>
      )}
    </>
  );
}

interface NewRowProps extends AddRowsProps {
  /** The drafts of one new parameter, at least one. */
  readonly drafts: readonly Draft[];
}

function NewRow({ drafts, columns, environments, handle, conflicts }: NewRowProps) {
  const draftErrors = useDraftErrors();
  const [first] = drafts;
  if (!first) return null;
  const { name, isSecret, type = 'string', projectId } = first;
  const describeProblem = (draft: Draft): string | null => {
    const conflict = conflicts.get(draftKey(draft));
    const error = draftErrors.get(draftKey(draft));
    if (conflict) return describeDraftConflict(conflict);
    return error?.draft === draft ? error.message : null;
  };
  const wrong = drafts.filter((draft) => describeProblem(draft) !== null);
  const onEdit = (environmentId: string, edit: DraftEdit | null) => {
    const currentDraft = drafts.find((draft) => draft.environmentId === environmentId);
    // The last value is replaced by a draft without one, so that the parameter stays.
    const next = edit ?? (drafts.length === 1 && currentDraft ? ({ kind: 'create' } as const) : null);
    const column = columns.find(({ id }) => id === environmentId);
    if (next === null) {
      if (currentDraft) handle.discard([draftKey(currentDraft)]);
    } else if (column) {
      const replaced = drafts.find((draft) => draft.edit.kind === 'create' && draft.environmentId !== environmentId);
      const draft = { ...first, environmentId, environmentName: column.name, edit: next };
      handle.stage([draft], replaced && [draftKey(replaced)]);
    }
  };
  return (
    <div role="row" className={styles.row} data-new data-wrong={wrong.length > 0 || undefined}>
      <div role="rowheader" className={styles.name}>
        <span className={styles.key}>
          <UserText>{name}</UserText>
        </span>{' '}
        {isSecret && <Lock size={11} role="img" aria-label="secret" />}
        <span className={styles.type}>{type}</span>
        <button
          type="button"
          className={button.icon}
          aria-label={withVisibleCharacters(`Discard the new parameter ${name}`)}
          onClick={() => handle.discard(drafts.map(draftKey))}
        >
          <X size={13} aria-hidden />
        </button>
        <span className="heard">new parameter, not applied yet</span>
      </div>
      <ValueCells
        value={{ projectId, name, isSecret, rules: { type, parameter: null } }}
        {...{ columns, environments, onEdit }}
        edits={new Map(drafts.map(({ environmentId, edit }) => [environmentId, edit]))}
        wrong={new Set(wrong.map(({ environmentId }) => environmentId))}
      />
      {wrong.length > 0 && (
        <p className={styles.problem} role="alert">
          <UserText>{[...new Set(wrong.map(describeProblem))].join(' ')}</UserText>
        </p>
      )}
    </div>
  );
}
