import { useMatches, useNavigate } from '@tanstack/react-router';
import { Clock, History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMoment } from '../data/use-moment.ts';
import { instantWords } from '../lib/instant.ts';
import { momentText, type ShownMoment } from '../lib/moment.ts';
import button from '../ui/button.module.css';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './point-in-time-bar.module.css';

const MomentChoice = lazyPart(async () => (await import('../kit/moment/moment-choice.tsx')).MomentChoice);

function useGoTo(): (moment: ShownMoment) => void {
  const navigate = useNavigate();
  return (moment) => void navigate({ to: '.', search: (old) => ({ ...old, at: momentText(moment) }) });
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
          <MomentChoice onChoose={goTo} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Warns that the page shows the past, and links back to the present. */
export function PointInTimeBar() {
  const { moment, isNow } = useMoment();
  const goTo = useGoTo();
  const isAlwaysNow = useMatches().at(-1)?.staticData.isAlwaysNow ?? false;
  if (isNow) return null;
  return (
    <section className={styles.bar} aria-label="Point in time">
      <History size={15} aria-hidden />
      <p>
        {isAlwaysNow ? 'This page always shows the current state. On other pages, you' : 'You'} are viewing the state{' '}
        <b>{momentWords(moment)}</b>
        {!isAlwaysNow && ' (read-only)'}
      </p>
      <button type="button" className={styles.back} onClick={() => goTo({ kind: 'now' })}>
        Back to now
      </button>
    </section>
  );
}

function momentWords(moment: ShownMoment): string {
  switch (moment.kind) {
    case 'now':
      return 'as it is';
    case 'instant':
      return `as of ${instantWords(moment.instant)}`;
    case 'revision':
      return `as of revision ${moment.revision}`;
    case 'tag':
      return `as of tag ${moment.tag} of ${moment.environment}`;
  }
}
