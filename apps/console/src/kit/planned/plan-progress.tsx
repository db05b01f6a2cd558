import styles from './plan-progress.module.css';

/** Shows that the core is computing a plan. */
export function PlanProgress({ count = 1 }: { readonly count?: number }) {
  return (
    <p className={styles.planning} role="status">
      <progress aria-label="Planning" /> Checking {count > 1 && `${count} changes `}…
    </p>
  );
}
