import type { ReactNode } from 'react';
import { isUpgraded, Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import styles from './refusal.module.css';

interface RefusalProps {
  readonly error: unknown;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** Why something that somebody asked for was not done, beside where they asked for it. */
export function Refusal({ error, children }: RefusalProps) {
  const requestId = error instanceof Refused ? error.requestId : null;
  return (
    <div className={styles.refusal} role="alert">
      <p>
        {error instanceof Refused ? error.message : 'The console has made a mistake. Try again, or reload the page.'}
      </p>
      {children}
      {isUpgraded(error) && (
        <button type="button" className={button.plain} onClick={() => window.location.reload()}>
          Reload
        </button>
      )}
      {requestId !== null && (
        <p className={styles.request}>
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
