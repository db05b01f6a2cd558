import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import styles from './trouble.module.css';

/** In place of what could not be shown: why, what to do, and what to tell whoever runs the installation. */
export function Trouble({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const router = useRouter();
  const requestId = error instanceof Refused ? error.requestId : null;
  const again = async () => {
    reset();
    await router.invalidate();
  };
  const isPast = 'at' in router.state.location.search && router.state.location.search.at !== undefined;
  const backToNow = async () => {
    await router.navigate({ to: '.', search: (old: object) => ({ ...old, at: undefined }) });
    await again();
  };
  return (
    <div className={styles.trouble} role="alert">
      <h2>This could not be shown</h2>
      <p>
        {error instanceof Refused ? error.message : 'The console has made a mistake. Try again, or reload the page.'}
      </p>
      {requestId !== null && (
        <p className={styles.request}>
          Request <code>{requestId}</code>
        </p>
      )}
      {isPast && (
        <button type="button" className={button.main} onClick={() => void backToNow()}>
          Back to now
        </button>
      )}
      <button type="button" className={button.plain} onClick={() => void again()}>
        Try again
      </button>
    </div>
  );
}
