import { useQuery } from '@tanstack/react-query';
import { GitMerge } from 'lucide-react';
import { lastChangeQuery } from '../../data/explanation.ts';
import type { DraftsHandle } from '../../kit/drafts/drafts.ts';
import {
  type DraftText,
  describeCurrentCell,
  draftBaseText,
  draftEditText,
} from '../../kit/planned/draft-descriptions.ts';
import type { Draft } from '../../lib/draft.ts';
import { draftKey } from '../../lib/draft.ts';
import {
  canKeepDraft,
  type DraftConflict,
  describeDraftConflict,
  rebaseDraft,
  type StoredCell,
} from '../../lib/draft-status.ts';
import { textDifference } from '../../lib/text-difference.ts';
import button from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import styles from './conflicts.module.css';

interface ConflictsProps {
  readonly handle: DraftsHandle;
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
}

/** Lists the conflicts of drafts with changes of other users. Nothing is overwritten until the user has resolved each of them. */
export function Conflicts({ handle, conflicts }: ConflictsProps) {
  const conflictingDrafts = [...handle.drafts.values()].flatMap((draft) => {
    const conflict = conflicts.get(draftKey(draft));
    return conflict ? [{ draft, conflict }] : [];
  });
  if (conflictingDrafts.length === 0) return null;
  return (
    <section className={styles.conflicts} aria-labelledby="conflicts">
      <h2 id="conflicts">
        <GitMerge size={15} aria-hidden />{' '}
        {conflictingDrafts.length === 1 ? '1 conflict' : `${conflictingDrafts.length} conflicts`}
      </h2>
      <p>
        Someone else changed {conflictingDrafts.length === 1 ? 'this value' : 'these values'}. Choose which to keep
        before you apply.
      </p>
      <ul>
        {conflictingDrafts.map(({ draft, conflict }) => (
          <Choice key={draftKey(draft)} {...{ draft, conflict, handle }} />
        ))}
      </ul>
    </section>
  );
}

interface ChoiceProps {
  readonly draft: Draft;
  readonly conflict: DraftConflict;
  readonly handle: DraftsHandle;
}

function Choice({ draft, conflict, handle }: ChoiceProps) {
  const { name, projectName, environmentName } = draft;
  const key = draftKey(draft);
  const currentCell = conflict.kind !== 'gone' && canKeepDraft(draft, conflict) ? conflict.currentCell : null;
  const [theirText, myText] = labelChoices(conflict);
  return (
    <li className={styles.choice} aria-label={withVisibleCharacters(`${name} in ${environmentName}`)}>
      <p className={styles.head}>
        <code>
          <UserText>{name}</UserText>
        </code>
        <span>
          <UserText>{projectName}</UserText> · <UserText>{environmentName}</UserText>
        </span>
        <span className={styles.why}>
          {conflict.kind === 'changed' ? (
            <ByWhom draft={draft} version={conflict.currentCell.base.ledgerId} />
          ) : (
            <UserText>{describeDraftConflict(conflict)}</UserText>
          )}
        </span>
      </p>
      {conflict.kind === 'changed' && <Sides draft={draft} current={conflict.currentCell} />}
      <p className={styles.verbs}>
        <button type="button" className={button.plain} onClick={() => handle.discard([key])}>
          {theirText}
        </button>
        {currentCell && (
          <button
            type="button"
            className={button.plain}
            onClick={() => handle.move(new Map([[key, { from: draft, to: rebaseDraft(draft, currentCell) }]]))}
          >
            <UserText>{myText}</UserText>
          </button>
        )}
      </p>
    </li>
  );
}

function labelChoices(conflict: DraftConflict): readonly [theirs: string, mine: string] {
  switch (conflict.kind) {
    case 'changed':
      return ['Take theirs', 'Keep mine'];
    case 'renamed':
      return ['Discard mine', `Set it as ${conflict.currentCell.name}`];
    case 'taken':
      return ['Discard mine', 'Set it in that parameter'];
    case 'exposed':
    case 'gone':
      return ['Discard mine', ''];
  }
}

interface ByWhomProps extends Pick<ChoiceProps, 'draft'> {
  /** The version of their value; null if they deleted it. */
  readonly version: string | null;
}

function ByWhom({ draft: { projectId, environmentId, name }, version }: ByWhomProps) {
  const { data: lastChange } = useQuery({
    ...lastChangeQuery({ projectId, environmentId, name, pointInTime: {} }, version),
    staleTime: 0,
  });
  return (
    <>
      changed by <UserText>{lastChange?.actorName ?? 'someone else'}</UserText>
      {lastChange?.at && (
        <>
          , <When at={lastChange.at} />
        </>
      )}
    </>
  );
}

/** Returns whether a text is so long that the change is shown as a difference of lines. */
const isLong = ({ text }: DraftText) => text !== undefined && (text.includes('\n') || text.length > 120);

function Sides({ draft, current: currentCell }: { readonly draft: Draft; readonly current: StoredCell }) {
  const [base, theirText, myText] = [draftBaseText(draft), describeCurrentCell(currentCell), draftEditText(draft)];
  const isDiff = base.text !== undefined && [base, theirText, myText].some(isLong);
  const location = withVisibleCharacters(`${draft.name} in ${draft.environmentName}`);
  return (
    <dl className={styles.sides}>
      <Side about="Before" shown={base} label={`Copy previous value of ${location}`} />
      <Side
        about="Theirs"
        shown={theirText}
        label={`Copy their value of ${location}`}
        base={isDiff ? base.text : undefined}
      />
      <Side about="Mine" shown={myText} label={`Copy my value of ${location}`} base={isDiff ? base.text : undefined} />
    </dl>
  );
}

interface SideProps {
  readonly about: string;
  /** The name of the button that copies the text. */
  readonly label: string;
  readonly shown: DraftText;
  readonly base?: string | undefined;
}

function Side({ about, label, shown, base }: SideProps) {
  return (
    <div className={styles.side} data-side={about.toLowerCase()}>
      <dt>
        {about} {shown.text && <CopyButton text={shown.text} label={label} isIcon />}
      </dt>
      <dd>
        {base !== undefined && shown.text !== undefined ? (
          <pre className={styles.text}>
            {textDifference(base, shown.text).map(({ kind, text }, at) => (
              <span key={at} data-line={kind}>
                <UserText>{text}</UserText>
                {'\n'}
              </span>
            ))}
          </pre>
        ) : (
          <pre className={styles.text} data-words={shown.text === undefined || shown.text === '' || undefined}>
            <UserText>{shown.description}</UserText>
          </pre>
        )}
      </dd>
    </div>
  );
}
