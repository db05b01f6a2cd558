import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newestTagsQuery } from '../../data/tags.ts';
import { formatInstant } from '../../lib/instant.ts';
import { type DisplayedPointInTime, parsePointInTime } from '../../lib/point-in-time.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './point-in-time-choice.module.css';

interface PointInTimeChoiceProps {
  onChoose(pointInTime: DisplayedPointInTime): void;
  onClose(): void;
}

/** Lets the user choose the point in time to show: a date and time, a revision or a tag. */
export function PointInTimeChoice({ onChoose, onClose }: PointInTimeChoiceProps) {
  const { data: tags } = useQuery(newestTagsQuery);
  const go = (pointInTime: DisplayedPointInTime) => {
    if (pointInTime.kind === 'now') return;
    onChoose(pointInTime);
    onClose();
  };
  return (
    <Dialog title="Go back in time" onClose={onClose}>
      <p className={styles.about}>Shows everything as of that time, read-only.</p>
      <InstantForm onChoose={go} />
      <RevisionForm onChoose={go} />
      {tags && tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {tags.map(({ environment, name, timestamp }) => (
            <li key={`${environment} ${name}`}>
              <button type="button" className={styles.tag} onClick={() => go({ kind: 'tag', environment, tag: name })}>
                <b>
                  <UserText>{name}</UserText>
                </b>{' '}
                of <UserText>{environment}</UserText> <span>{formatInstant(timestamp)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type PointInTimeFormProps = Pick<PointInTimeChoiceProps, 'onChoose'>;

function InstantForm({ onChoose }: PointInTimeFormProps) {
  const [instant, setInstant] = useState('');
  return (
    <form
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        const at = new Date(instant);
        if (!Number.isNaN(at.getTime())) onChoose({ kind: 'instant', instant: at.toISOString() });
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
        Go to time
      </button>
    </form>
  );
}

function RevisionForm({ onChoose }: PointInTimeFormProps) {
  const [revision, setRevision] = useState('');
  return (
    <form
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(parsePointInTime(`r${revision}`));
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
        Go to revision
      </button>
    </form>
  );
}
