import { LeaveDialog } from '../ui/leave-dialog.tsx';

interface SignOutDialogProps {
  readonly count: number;
  onSignOut(): void;
  onClose(): void;
}

/** Confirms signing out, which removes all drafts from this browser. */
export function SignOutDialog({ count, onSignOut, onClose }: SignOutDialogProps) {
  return (
    <LeaveDialog title="Sign out and discard drafts?" verb="Discard and sign out" onLeave={onSignOut} onStay={onClose}>
      {count === 1 ? 'One change was' : `${count} changes were`} not applied yet. Signing out discards changes that are
      not applied.
    </LeaveDialog>
  );
}
