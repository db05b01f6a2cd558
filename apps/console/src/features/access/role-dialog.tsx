import type { Role } from '@strata/domain';
import { changeMembership, fetchMembership, membershipKeys, type PermissionHolder } from '../../data/people.ts';
import { serviceAccountKeys } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PermissionFields } from './permission-fields.tsx';
import { useSavePermissions } from './use-save-permissions.ts';

interface RoleDialogProps {
  readonly name: string;
  readonly membership: PermissionHolder;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Changes the role of a user or a service account in the organization, and whether they may reveal secrets. */
export function RoleDialog({ name, membership, roles, onClose }: RoleDialogProps) {
  const { id } = membership;
  const submit = useSavePermissions(membership, {
    write: (input, expectedLedgerId) => changeMembership({ id, input, expectedLedgerId }),
    read: () => fetchMembership(id),
  });
  return (
    <FormDialog
      title={`Role of ${name}`}
      verb="Change role"
      busyVerb="Changing …"
      kinds={[membershipKeys.all, serviceAccountKeys.all, viewerKeys.all]}
      canCancel
      submit={submit}
      onClose={onClose}
    >
      <PermissionFields roles={roles} current={membership} />
    </FormDialog>
  );
}
