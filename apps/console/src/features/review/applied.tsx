import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReviewedPlan } from '../../data/plan.ts';
import { Effects } from '../../kit/planned/effects.tsx';
import planStyles from '../../kit/planned/plan-view.module.css';
import styles from '../../kit/planned/review-page.module.css';
import { Undo } from '../../kit/planned/undo.tsx';
import { RolloutSummary } from '../../kit/rollout/rollout-summary.tsx';
import type { Drafts } from '../../lib/draft.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

export interface AppliedChange {
  readonly revision: number;
  /** The applied drafts. */
  readonly sent: Drafts;
  readonly plan: ReviewedPlan;
}

/** The most configurations whose instances are shown. */
const ROLLOUTS_MAX = 6;

interface AppliedProps {
  readonly applied: AppliedChange;
  onUndone(): void;
}

/** Confirms that all drafts were applied as planned. */
export function AppliedConfirmation({ applied, onUndone }: AppliedProps) {
  const { revision, sent: drafts, plan } = applied;
  const [takenBackAs, setTakenBackAs] = useState<number | null>(null);
  const back = useRef<HTMLAnchorElement>(null);
  // Enter returns to the grid.
  useEffect(() => back.current?.focus(), []);
  const projects = [...new Set([...drafts.values()].map(({ projectName }) => projectName))].sort();
  const { effectiveChanges, totals } = plan;
  const changed = effectiveChanges.map(({ projectName, environmentName }) => [projectName, environmentName] as const);
  const scopes = new Map(changed.map((scope) => [JSON.stringify(scope), scope]));
  return (
    <div className={styles.applied}>
      <div className={styles.done} role="status">
        <CircleCheck size={22} aria-hidden />
        <h2>{takenBackAs === null ? `Applied as revision ${revision}` : `Undone (revision ${revision})`}</h2>
        {takenBackAs === null && (
          <p>
            {drafts.size === 1 ? '1 change' : `${drafts.size} changes`} applied;{' '}
            {totals.effectiveChanges.toLocaleString()}{' '}
            {totals.effectiveChanges === 1 ? 'effective value' : 'effective values'} changed.
          </p>
        )}
      </div>
      <div className={styles.links}>
        <Undo
          revision={revision}
          onUndone={(made) => {
            setTakenBackAs(made);
            onUndone();
          }}
        />
        <span>Back to</span>
        {projects.map((name, at) => (
          <Link key={name} ref={at === 0 ? back : undefined} to="/projects/$name" params={{ name }}>
            <UserText>{name}</UserText>
          </Link>
        ))}
      </div>
      {takenBackAs === null &&
        [...scopes]
          .slice(0, ROLLOUTS_MAX)
          .map(([key, [project, environment]]) => (
            <RolloutSummary key={key} project={project} environment={environment} revision={revision} />
          ))}
      {takenBackAs === null && scopes.size > ROLLOUTS_MAX && (
        <p className={page.note}>
          The instances of {(scopes.size - ROLLOUTS_MAX).toLocaleString()} more changed configurations are not shown
          here.
        </p>
      )}
      {effectiveChanges.length > 0 && takenBackAs === null && (
        <div className={planStyles.box}>
          <Effects effects={effectiveChanges} total={totals.effectiveChanges} drafts={drafts} isDone />
        </div>
      )}
    </div>
  );
}
