import page from '../ui/page.module.css';
import { useMoment } from './use-moment.ts';

/** On pages that know no past: what they show is of now although a point in time is chosen. */
export function PresentOnly() {
  const { isNow } = useMoment();
  if (isNow) return null;
  return (
    <p role="note" className={page.note}>
      This page shows the present, whatever point in time is chosen.
    </p>
  );
}
