import styles from './plan-progress.module.css';

/** Shown while the server computes a plan. */
export function PlanProgress({ count = 1 }: { readonly count?: number }) {
  return (
    <p className={styles.planning} role="status">
      <progress aria-label="Planning" /> Checking {count === 1 ? 'it' : `${count} changes`} …
    </p>
  );
}
