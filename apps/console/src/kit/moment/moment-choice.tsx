import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../../data/tags.ts';
import { instantWords } from '../../lib/instant.ts';
import { momentIn, type ShownMoment } from '../../lib/moment.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './moment-choice.module.css';

interface MomentChoiceProps {
  onChoose(moment: ShownMoment): void;
  onClose(): void;
}

/** Where to go in time: an instant, a revision or a tag. */
export function MomentChoice({ onChoose, onClose }: MomentChoiceProps) {
  const [instant, setInstant] = useState('');
  const [revision, setRevision] = useState('');
  const { data: tags } = useQuery(tagsQuery);
  const go = (moment: ShownMoment) => {
    if (moment.kind === 'now') return;
    onChoose(moment);
    onClose();
  };
  return (
    <Dialog title="Go back in time" onClose={onClose}>
      <p className={styles.about}>Shows everything as of that time, read-only.</p>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          const at = new Date(instant);
          if (!Number.isNaN(at.getTime())) go({ kind: 'instant', instant: at.toISOString() });
        }}
      >
        <label>
          Date and time
          <input
            type="datetime-local"
            step={1}
            required
            value={instant}
            onChange={({ target }) => setInstant(target.value)}
          />
        </label>
        <button type="submit" className={button.plain}>
          Go
        </button>
      </form>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          go(momentIn(`r${revision}`));
        }}
      >
        <label>
          Revision
          <input
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            required
            autoComplete="off"
            value={revision}
            onChange={({ target }) => setRevision(target.value)}
          />
        </label>
        <button type="submit" className={button.plain}>
          Go
        </button>
      </form>
      {tags && tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {tags.map(({ environment, name, timestamp }) => (
            <li key={`${environment} ${name}`}>
              <button type="button" className={styles.tag} onClick={() => go({ kind: 'tag', environment, tag: name })}>
                <b>
                  <UserText>{name}</UserText>
                </b>{' '}
                of <UserText>{environment}</UserText> <span>{instantWords(timestamp)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
