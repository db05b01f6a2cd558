import { Link } from '@tanstack/react-router';
import { ArrowRight, TriangleAlert, X } from 'lucide-react';
import { useMemo } from 'react';
import { effectKey, type PlannedEffect } from '../../data/plan.ts';
import { type Draft, draftKey } from '../../lib/draft.ts';
import type { DraftConflict } from '../../lib/draft-status.ts';
import { isByLines } from '../../lib/text-difference.ts';
import button from '../../ui/button.module.css';
import { useShortened } from '../../ui/shortened-list.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { CopyValue } from '../copy-value/copy-value.tsx';
import { DifferenceLines } from '../difference/difference-lines.tsx';
import { useDraftErrors } from '../drafts/draft-errors.ts';
import type { DraftsHandle } from '../drafts/drafts.ts';
import { type DraftText, draftBaseText, draftEditText, effectText } from './draft-descriptions.ts';
import styles from './draft-list.module.css';

interface DraftListProps {
  readonly handle: DraftsHandle;
  /** The drafts with conflicts, which are listed separately. */
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
  /** The planned effects, which show what a removal leaves. */
  readonly effects: readonly PlannedEffect[];
}

/** Lists every draft with its cell, the current and the new value, and the reason if it was rejected. */
export function DraftList({ handle, conflicts, effects }: DraftListProps) {
  const effectOf = useMemo(() => new Map(effects.map((effect) => [effectKey(effect), effect])), [effects]);
  const draftErrors = useDraftErrors();
  const drafts = [...handle.drafts.values()].filter((draft) => !conflicts.has(draftKey(draft)));
  const { shown, more } = useShortened(drafts);
  if (drafts.length === 0) return null;
  return (
    <section className={styles.drafts} aria-labelledby="drafts">
      <h2 id="drafts">{drafts.length === 1 ? '1 draft' : `Your ${drafts.length} changes`}</h2>
      <ul className={styles.list}>
        {shown.map((draft) => {
          const key = draftKey(draft);
          const draftError = draftErrors.get(key);
          return (
            <Line
              key={key}
              draft={draft}
              effect={effectOf.get(effectKey({ ...draft, parameterName: draft.name }))}
              error={draftError?.draft === draft ? draftError.message : null}
              onDiscard={() => handle.discard([key])}
            />
          );
        })}
      </ul>
      {more}
    </section>
  );
}

interface LineProps {
  readonly draft: Draft;
  /** The planned effect in the cell of the draft. */
  readonly effect: PlannedEffect | undefined;
  readonly error: string | null;
  onDiscard(): void;
}

function Line({ draft, effect, error, onDiscard }: LineProps) {
  const { name, projectName, environmentName } = draft;
  return (
    <li className={styles.line} data-rejected={error !== null || undefined}>
      <span className={styles.what}>
        <code>
          <UserText>{name}</UserText>
        </code>
        <Link to="/projects/$name" params={{ name: projectName }} search={{ cell: name, in: environmentName }}>
          <UserText>{projectName}</UserText> · <UserText>{environmentName}</UserText>
        </Link>
      </span>
      <TextChange
        of={`${name} in ${environmentName}`}
        before={draftBaseText(draft)}
        after={draft.edit.kind === 'unset' && effect ? removalText(effect) : draftEditText(draft)}
      />
      <button
        type="button"
        className={button.icon}
        onClick={onDiscard}
        aria-label={withVisibleCharacters(`Discard the change of ${name} in ${environmentName}`)}
      >
        <X size={14} aria-hidden />
      </button>
      {error !== null && (
        <p className={styles.error} role="alert">
          <TriangleAlert size={13} aria-hidden /> <UserText>{error}</UserText>
        </p>
      )}
    </li>
  );
}

/** Describes what the removal of a value leaves. */
function removalText(effect: PlannedEffect): DraftText {
  const after = effectText(effect, 'after');
  return after.isLost ? after : { description: `inherited: ${after.description}` };
}

/** The maximum length of a text in the list. */
const SHOWN_MAX = 300;

interface ChangeProps {
  /** The location of the values, as in `PORT in production`. Without it, there are no buttons to copy them. */
  readonly of?: string;
  /** The previous value; null if there was none. */
  readonly before: DraftText | null;
  readonly after: DraftText;
}

export function TextChange({ of, before, after }: ChangeProps) {
  if (before?.text !== undefined && after.text !== undefined && isByLines(before.text, after.text)) {
    return <DifferenceLines before={before.text} after={after.text} of={of} />;
  }
  return (
    <span className={styles.texts}>
      {before && (
        <>
          <CopyValue text={before.text} of={of} which="old">
            <del data-words={isDescription(before)}>
              <UserText>{before.description.slice(0, SHOWN_MAX)}</UserText>
            </del>
          </CopyValue>
          <ArrowRight size={12} role="img" aria-label="becomes" />
        </>
      )}
      <CopyValue text={after.text} of={of} which="new">
        <ins data-words={isDescription(after)} data-lost={after.isLost}>
          <UserText>{after.description.slice(0, SHOWN_MAX)}</UserText>
        </ins>
      </CopyValue>
    </span>
  );
}

const isDescription = ({ text }: DraftText) => !text || undefined;
