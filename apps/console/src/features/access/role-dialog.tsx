import type { Role } from '@strata/domain';
import { useState } from 'react';
import { saveChangedFields } from '../../data/merge.ts';
import { changeMembership, membershipKeys, membershipOf, type PermissionHolder } from '../../data/people.ts';
import { serviceAccountKeys } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  changedPermissions,
  loadedPermissions,
  PermissionFields,
  permissionsIn,
  permissionText,
  permissionTexts,
} from './permission-fields.tsx';

interface RoleDialogProps {
  readonly name: string;
  readonly membership: PermissionHolder;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Changes the role of a user or a service account in the organization, and whether they may reveal secrets. */
export function RoleDialog({ name, membership, roles, onClose }: RoleDialogProps) {
  const { id } = membership;
  const [seen, setSeen] = useState(loadedPermissions(membership));
  const submit = async (given: FormData) => {
    const permissions = permissionsIn(given);
    await saveChangedFields(seen, {
      typed: permissionTexts(permissions),
      write: (changed, expectedLedgerId) =>
        changeMembership({ id, input: changedPermissions(permissions, changed), expectedLedgerId }),
      read: async () => {
        const now = await membershipOf(id);
        return now && loadedPermissions(now);
      },
      wordsOf: permissionText,
      onSeen: setSeen,
    });
  };
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
      <PermissionFields roles={roles} present={membership} />
    </FormDialog>
  );
}
