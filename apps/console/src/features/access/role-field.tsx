import type { Role } from '@strata/domain';
import { useState } from 'react';
import { roleWord } from '../../lib/role-word.ts';
import { Field } from '../../ui/form.tsx';
import { ROLE_MEANS, roleSentence } from './roles.ts';

interface RoleFieldProps {
  /** Those that may be chosen, the least first. */
  readonly roles: readonly Role[];
  readonly present?: Role;
  readonly meanings?: Readonly<Record<Role, string>>;
}

/** The choice of a role, with what the chosen one lets somebody do. */
export function RoleField({ roles, present = 'VIEWER', meanings = ROLE_MEANS }: RoleFieldProps) {
  const [chosen, setChosen] = useState(present);
  return (
    <Field name="role" label="Role" hint={roleSentence(chosen, meanings)}>
      {(attributes) => (
        <select {...attributes} value={chosen} onChange={(event) => setChosen(event.target.value as Role)}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {roleWord(role)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The role that was chosen. */
export const roleIn = (given: FormData): Role => String(given.get('role')) as Role;

interface RoleHolder {
  readonly ledgerId: string | null;
  readonly role: Role;
}

/** What is seen in a form with nothing but a role, for `saveSeen`, and what it holds in words. */
export const seenRole = ({ ledgerId, role }: RoleHolder) => ({
  ledgerId: ledgerId ?? '',
  fields: { role: String(role) },
});
export const roleText = (_: 'role', role: string): string => roleWord(role);
