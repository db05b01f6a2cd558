import { displayName, endMembership, type ListedPerson, membershipKeys } from '../../data/people.ts';
import { useSignOut } from '../../kit/use-sign-out.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface EndMembershipDialogProps {
  readonly person: ListedPerson;
  readonly isSelf: boolean;
  onClose(): void;
}

/** Confirms removing a member, or leaving the organization. */
export function EndMembershipDialog({ person, isSelf, onClose }: EndMembershipDialogProps) {
  const signOut = useSignOut();
  const confirm = async () => {
    if (person.membership) await endMembership(person.membership);
    if (isSelf) await signOut();
  };
  return isSelf ? (
    <ConfirmDialog
      title="Leave the organization?"
      verb="Leave"
      busyVerb="Leaving …"
      kinds={[membershipKeys.all]}
      confirm={confirm}
      onClose={onClose}
    >
      <p>You lose access immediately and are signed out. To come back, you need a new invitation.</p>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Remove ${displayName(person)}?`}
      verb="Remove"
      busyVerb="Removing …"
      kinds={[membershipKeys.all]}
      confirm={confirm}
      onClose={onClose}
    >
      <p>
        They lose access immediately, together with their grants and group memberships. Their changes stay in the
        history. Where they were the last owner of a restricted project or environment, the organization’s
        longest-serving owner takes over.
      </p>
    </ConfirmDialog>
  );
}
