import type { Role } from '@strata/domain';
import { useQueryClient } from '@tanstack/react-query';
import button from '../ui/button.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { changeRole } from './people.ts';
import { RoleField, roleIn } from './role-field.tsx';

interface RoleDialogProps {
  readonly name: string;
  readonly membershipId: string;
  readonly present: Role;
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Another role in the organization, of a person or a service account. */
export function RoleDialog({ name, membershipId, present, roles, onClose }: RoleDialogProps) {
  const client = useQueryClient();
  const submit = async (given: FormData) => {
    await changeRole(membershipId, roleIn(given));
    await client.invalidateQueries({ predicate: ({ queryKey }) => CONCERNED.has(String(queryKey[0])) });
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

const CONCERNED = new Set(['membership', 'service_account', 'viewer']);
