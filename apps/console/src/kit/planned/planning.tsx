import styles from './planning.module.css';

/** While the server works out what would follow. */
export function Planning({ count = 1 }: { readonly count?: number }) {
  return (
    <p className={styles.planning} role="status">
      <progress aria-label="Planning" /> Checking {count === 1 ? 'it' : `${count} changes`} …
    </p>
  );
}
