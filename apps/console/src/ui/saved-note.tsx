import styles from './form.module.css';

/** Confirms beside the button of a form that its input was saved. Screen readers announce it. */
export function SavedNote({ isSaved }: { readonly isSaved: boolean }) {
  return (
    <p role="status" className={styles.saved}>
      {isSaved && 'Saved.'}
    </p>
  );
}
