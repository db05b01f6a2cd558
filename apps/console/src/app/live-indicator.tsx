import styles from './live-indicator.module.css';
import { useLiveState } from './live-state.ts';

/** Shows whether the page is live, and its revision. */
export function LiveIndicator() {
  const state = useLiveState();
  const revision = state.kind === 'connecting' ? null : state.revision;
  return (
    <p className={styles.sign} data-state={state.kind} title={ABOUT[state.kind]}>
      <span role="status">{WORDS[state.kind]}</span>
      {revision !== null && <span className={styles.revision}>at revision {revision}</span>}
    </p>
  );
}

const WORDS = { connecting: 'Connecting …', live: 'Live', cut: 'Not live' } as const;
const ABOUT = {
  connecting: 'Connecting to live updates.',
  live: 'Changes by others appear immediately.',
  cut: 'Connection lost. This page may be out of date. Drafts are kept. Reconnecting …',
} as const;
