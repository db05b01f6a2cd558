import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import type { HomeData } from '../../data/home.ts';
import { readStored, writeStored } from '../../lib/browser-storage.ts';
import button from '../../ui/button.module.css';
import card from '../../ui/card.module.css';
import styles from './checklist.module.css';
import { type FirstStep, listFirstSteps } from './first-steps.ts';

interface ChecklistProps {
  readonly home: HomeData;
  readonly organizationId: string;
}

/** Lists the first steps of a new organization until all are done or the user hides them. */
export function Checklist({ home, organizationId }: ChecklistProps) {
  const key = `strata.first-steps.${organizationId}`;
  const [isHidden, setHidden] = useState(() => readStored(key) !== null);
  const steps = listFirstSteps(home);
  if (isHidden || steps.every(({ isDone }) => isDone)) return null;
  const hide = () => {
    writeStored(key, 'hidden');
    setHidden(true);
  };
  return (
    <section className={card.card} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 id="first-steps">
          First steps: {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
        </h2>
        <button type="button" className={button.icon} aria-label="Hide the first steps" onClick={hide}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step: { title, about, isDone, to, params } }: { readonly step: FirstStep }) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li data-done={isDone || undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {isDone ? title : <Link {...({ to, params } as LinkProps)}>{title}</Link>}
        {isDone && <span className="heard"> (done)</span>}
        <span className={styles.about}>{about}</span>
      </span>
    </li>
  );
}
