import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { ShownRolloutScope } from '../../data/rollouts.ts';
import { formatCount } from '../../lib/format-count.ts';
import { RolloutSummary } from '../rollout/rollout-summary.tsx';
import styles from './done-note.module.css';
import { Undo } from './undo.tsx';

/** An action that has just been applied. */
export interface AppliedAction {
  readonly revision: number;
  /** Whether the change cannot be reverted. */
  readonly isNotRevertible: boolean;
  /** The first changed configurations, whose instances are counted. */
  readonly scopes?: readonly ShownRolloutScope[] | undefined;
  /** The number of all changed configurations. */
  readonly scopeCount?: number | undefined;
}

/** Confirms an action, with a button to undo it if a revert is possible. */
export function DoneNote({ revision, isNotRevertible, scopes = [], scopeCount = 0 }: AppliedAction) {
  const client = useQueryClient();
  const [isUndone, setUndone] = useState(false);
  const uncountedScopes = scopeCount - scopes.length;
  return (
    <div className={styles.done}>
      <p role="status">
        <CircleCheck size={16} aria-hidden /> Applied as{' '}
        <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.link}>
          revision {revision}
        </Link>
        .
      </p>
      {!isNotRevertible && (
        <Undo
          key={revision}
          revision={revision}
          onUndone={() => {
            setUndone(true);
            void client.invalidateQueries();
          }}
        />
      )}
      {!isUndone &&
        scopes.map((scope) => (
          <RolloutSummary
            key={JSON.stringify(scope)}
            project={scope.project}
            environment={scope.environment}
            {...{ revision }}
          />
        ))}
      {!isUndone && uncountedScopes > 0 && (
        <p>The instances of {formatCount(uncountedScopes, 'more changed configuration')} are not shown here.</p>
      )}
    </div>
  );
}
