import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSignedOut, isUpgraded, RequestError, UNEXPECTED } from '../lib/request-error.ts';
import styles from './action-error.module.css';
import button from './button.module.css';
import { UserText } from './user-text.tsx';

interface ActionErrorProps {
  readonly error: unknown;
  /** A suggestion of what to do next. */
  readonly children?: ReactNode;
}

/** Explains beside a button why its action failed. */
export function ActionError({ error, children }: ActionErrorProps) {
  if (isSignedOut(error)) return <SessionIsOver />;
  const requestId = error instanceof RequestError ? error.requestId : null;
  return (
    <div className={styles.error} role="alert">
      <p>{error instanceof RequestError ? <UserText>{error.message}</UserText> : UNEXPECTED}</p>
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

/** Links to the sign-in page, which returns to this page afterwards. Drafts are kept. */
function SessionIsOver() {
  const back = useLocation({ select: ({ href }) => href });
  return (
    <div className={styles.error} role="alert">
      <p>
        Your session has ended. Nothing was saved.{' '}
        <Link to="/sign-in" search={{ back }}>
          Sign in again
        </Link>
      </p>
    </div>
  );
}
