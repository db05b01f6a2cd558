import type { Role } from '@strata/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveSeen } from '../../data/merge.ts';
import { changeRole, membershipKeys, membershipOf, type RoleHolder } from '../../data/people.ts';
import { isKeyOf } from '../../data/query-keys.ts';
import { serviceAccountKeys } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { RoleField, roleIn, roleText, seenRole } from './role-field.tsx';

interface RoleDialogProps {
  readonly name: string;
  readonly membership: RoleHolder;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Another role in the organization, of a person or a service account. */
export function RoleDialog({ name, membership, roles, onClose }: RoleDialogProps) {
  const client = useQueryClient();
  const { id, role: present } = membership;
  const [seen, setSeen] = useState(seenRole(membership));
  const submit = async (given: FormData) => {
    const role = roleIn(given);
    await saveSeen(seen, {
      typed: { role },
      write: (_, expectedLedgerId) => changeRole({ id, role, expectedLedgerId }),
      read: async () => {
        const now = await membershipOf(id);
        return now && seenRole(now);
      },
      wordsOf: roleText,
      onSeen: setSeen,
    });
    await client.invalidateQueries({
      predicate: ({ queryKey }) => isKeyOf(queryKey, membershipKeys, serviceAccountKeys, viewerKeys),
    });
    onClose();
  };
  return (
    <Dialog title={`Role of ${name}`} onClose={onClose}>
      <Form
        verb="Change the role"
        busyVerb="Changing …"
        submit={submit}
        aside={
          <button type="button" className={button.quiet} onClick={onClose}>
            Cancel
          </button>
        }
      >
        <RoleField roles={roles} present={present} />
      </Form>
    </Dialog>
  );
}
