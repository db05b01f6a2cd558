import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { isUpgraded, RequestError, UNEXPECTED } from '../lib/request-error.ts';
import button from './button.module.css';
import styles from './error-message.module.css';
import { isNotLoaded, reloadPage } from './lazy-part.tsx';
import { UserText } from './user-text.tsx';

interface TroubleProps extends Pick<ErrorComponentProps, 'error' | 'reset'> {
  readonly heading?: 'h1' | 'h2';
}

/** Shows an error in place of the whole page. */
export function ErrorPage(props: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  return (
    <main>
      <ErrorMessage {...props} heading="h1" />
    </main>
  );
}

/** Shows an error in place of content: the reason, the next step, and the request id for the operator. */
export function ErrorMessage({ error, reset, heading: Heading = 'h2' }: TroubleProps) {
  const router = useRouter();
  const requestId = error instanceof RequestError ? error.requestId : null;
  const retry = async () => {
    if (isNotLoaded(error)) return reloadPage();
    reset();
    await router.invalidate();
  };
  const isPast = 'at' in router.state.location.search && router.state.location.search.at !== undefined;
  const backToNow = async () => {
    await router.navigate({ to: '.', search: (previousSearch: object) => ({ ...previousSearch, at: undefined }) });
    await retry();
  };
  return (
    <div className={styles.trouble} role="alert">
      <Heading>Couldn’t load this page</Heading>
      <p>
        <UserText>{describePageError(error)}</UserText>
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
      {isUpgraded(error) ? (
        <button type="button" className={button.main} onClick={() => window.location.reload()}>
          Reload
        </button>
      ) : (
        <button type="button" className={button.plain} onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

function describePageError(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  if (isNotLoaded(error)) return 'The connection was lost, or a new version was released. Try again.';
  return UNEXPECTED;
}
