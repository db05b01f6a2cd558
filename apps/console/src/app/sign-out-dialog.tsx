import button from '../ui/button.module.css';
import { Dialog } from '../ui/dialog.tsx';
import styles from './sign-out-dialog.module.css';

interface SignOutDialogProps {
  readonly count: number;
  onSignOut(): void;
  onClose(): void;
}

/** Whoever signs out leaves nothing on this browser, so that drafts would be lost. */
export function SignOutDialog({ count, onSignOut, onClose }: SignOutDialogProps) {
  return (
    <Dialog title="Sign out and discard drafts?" onClose={onClose}>
      <p>
        {count === 1 ? 'One change was' : `${count} changes were`} not applied yet. Signing out discards what is not
        applied.
      </p>
      <div className={styles.foot}>
        <button type="button" className={button.plain} onClick={onClose}>
          Stay
        </button>
        <button type="button" className={button.main} onClick={onSignOut}>
          Discard and sign out
        </button>
      </div>
    </Dialog>
  );
}
