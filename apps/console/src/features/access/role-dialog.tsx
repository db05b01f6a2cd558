import type { Role } from '@strata/domain';
import { changeMembership, fetchMembership, membershipKeys, type PermissionHolder } from '../../data/people.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { serviceAccountKeys } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import { AccessPreview } from '../../kit/planned/access-preview.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type ChosenPermissions, PermissionFields } from './permission-fields.tsx';
import { useSavePermissions } from './use-save-permissions.ts';

interface RoleDialogProps {
  readonly name: string;
  readonly membership: PermissionHolder;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Returns the operations of the change, for its plan; none if nothing changes. */
function planChange(membership: PermissionHolder, { role, revealsSecrets }: ChosenPermissions): ChangesetOperations {
  if (role === membership.role && revealsSecrets === membership.revealsSecrets) return [];
  const body = { role, reveals_secrets: revealsSecrets };
  return [{ operation: 'memberships_partial_update', path: { id: membership.id }, body }];
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
      <PermissionFields
        roles={roles}
        current={membership}
        preview={(chosen) => <AccessPreview operations={planChange(membership, chosen)} />}
      />
    </FormDialog>
  );
}
