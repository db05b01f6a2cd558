import { useMatches, useNavigate } from '@tanstack/react-router';
import { Clock, History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { usePointInTime } from '../data/use-point-in-time.ts';
import { formatInstant } from '../lib/instant.ts';
import { type DisplayedPointInTime, formatPointInTime } from '../lib/point-in-time.ts';
import button from '../ui/button.module.css';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './point-in-time-bar.module.css';

const PointInTimeChoice = lazyPart(
  async () => (await import('../kit/point-in-time/point-in-time-choice.tsx')).PointInTimeChoice,
);

function useGoTo(): (pointInTime: DisplayedPointInTime) => void {
  const navigate = useNavigate();
  return (pointInTime) =>
    void navigate({ to: '.', search: (previousSearch) => ({ ...previousSearch, at: formatPointInTime(pointInTime) }) });
}

/** Opens the dialog to choose a point in time. */
export function PointInTimeButton() {
  const [isChoosing, setChoosing] = useState(false);
  const goTo = useGoTo();
  return (
    <>
      <button type="button" className={button.quiet} aria-label="Time travel" onClick={() => setChoosing(true)}>
        <Clock size={14} aria-hidden /> <span className={styles.word}>Time travel</span>
      </button>
      {isChoosing && (
        <Suspense>
          <PointInTimeChoice onChoose={goTo} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Warns that the page shows the past, and links back to the present. */
export function PointInTimeBar() {
  const { pointInTime, isNow } = usePointInTime();
  const goTo = useGoTo();
  const isAlwaysNow = useMatches().at(-1)?.staticData.isAlwaysNow ?? false;
  if (isNow) return null;
  return (
    <section className={styles.bar} aria-label="Point in time">
      <History size={15} aria-hidden />
      <p>
        {isAlwaysNow ? 'This page always shows the current state. On other pages, you' : 'You'} are viewing the state{' '}
        <b>{describePointInTime(pointInTime)}</b>
        {!isAlwaysNow && ' (read-only)'}
      </p>
      <button type="button" className={styles.back} onClick={() => goTo({ kind: 'now' })}>
        Back to now
      </button>
    </section>
  );
}

function describePointInTime(pointInTime: DisplayedPointInTime): string {
  switch (pointInTime.kind) {
    case 'now':
      return 'as it is';
    case 'instant':
      return `as of ${formatInstant(pointInTime.instant)}`;
    case 'revision':
      return `as of revision ${pointInTime.revision}`;
    case 'tag':
      return `as of tag ${pointInTime.tag} of ${pointInTime.environment}`;
  }
}
