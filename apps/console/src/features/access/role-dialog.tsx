import type { Role } from '@strata/domain';
import { useState } from 'react';
import { saveChangedFields } from '../../data/merge.ts';
import { changeRole, membershipKeys, membershipOf, type RoleHolder } from '../../data/people.ts';
import { serviceAccountKeys } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { loadedRole, RoleField, roleIn, roleText } from './role-field.tsx';

interface RoleDialogProps {
  readonly name: string;
  readonly membership: RoleHolder;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Changes the role of a user or a service account in the organization. */
export function RoleDialog({ name, membership, roles, onClose }: RoleDialogProps) {
  const { id, role: present } = membership;
  const [seen, setSeen] = useState(loadedRole(membership));
  const submit = async (given: FormData) => {
    const role = roleIn(given);
    await saveChangedFields(seen, {
      typed: { role },
      write: (_, expectedLedgerId) => changeRole({ id, role, expectedLedgerId }),
      read: async () => {
        const now = await membershipOf(id);
        return now && loadedRole(now);
      },
      wordsOf: roleText,
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
      <RoleField roles={roles} present={present} />
    </FormDialog>
  );
}
