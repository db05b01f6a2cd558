import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { endMembership, type ListedPerson, membershipKeys, nameOf } from '../../data/people.ts';
import { signOut } from '../../data/session.ts';
import { forgetDrafts } from '../../kit/drafts/drafts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface EndMembershipDialogProps {
  readonly person: ListedPerson;
  readonly isSelf: boolean;
  onClose(): void;
}

/** Removes somebody, or leaves. */
export function EndMembershipDialog({ person, isSelf, onClose }: EndMembershipDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const confirm = async () => {
    if (person.membership) await endMembership(person.membership);
    if (isSelf) {
      await signOut();
      forgetDrafts();
      await navigate({ to: '/sign-in' });
      client.clear();
    }
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
      <p>You lose access at once and are signed out. Somebody must invite you if you want to come back.</p>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Remove ${nameOf(person)}?`}
      verb="Remove"
      busyVerb="Removing …"
      kinds={[membershipKeys.all]}
      confirm={confirm}
      onClose={onClose}
    >
      <p>
        They lose access at once, and their grants and places in groups are gone. What they did stays in the history.
        Where they were the last owner of a controlled project or environment, the longest serving owner of the
        organization takes their place.
      </p>
    </ConfirmDialog>
  );
}
