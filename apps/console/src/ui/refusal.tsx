import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSignedOut, isUpgraded, Refused } from '../lib/refused.ts';
import button from './button.module.css';
import styles from './refusal.module.css';
import { UserText } from './user-text.tsx';

interface RefusalProps {
  readonly error: unknown;
  /** Suggests what to do next. */
  readonly children?: ReactNode;
}

/** Explains why an action failed, next to its button. */
export function Refusal({ error, children }: RefusalProps) {
  if (isSignedOut(error)) return <SessionIsOver />;
  const requestId = error instanceof Refused ? error.requestId : null;
  return (
    <div className={styles.refusal} role="alert">
      <p>
        {error instanceof Refused ? (
          <UserText>{error.message}</UserText>
        ) : (
          'Something went wrong. Try again, or reload the page.'
        )}
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

/** After signing in, the user returns to this page and keeps all drafts. */
function SessionIsOver() {
  const back = useLocation({ select: ({ href }) => href });
  return (
    <div className={styles.refusal} role="alert">
      <p>
        Your session has ended. Nothing was saved.{' '}
        <Link to="/sign-in" search={{ back }}>
          Sign in again
        </Link>
      </p>
    </div>
  );
}
