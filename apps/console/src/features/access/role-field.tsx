import type { Role } from '@strata/domain';
import { useState } from 'react';
import { roleWord } from '../../lib/role-word.ts';
import { Field } from '../../ui/form.tsx';
import { ROLE_DESCRIPTIONS, roleSentence } from './roles.ts';

interface RoleFieldProps {
  /** The roles to choose from, lowest first. */
  readonly roles: readonly Role[];
  readonly current?: Role;
  readonly meanings?: Readonly<Record<Role, string>>;
  onChoose?(role: Role): void;
}

/** Renders the choice of a role, with the permissions of the chosen one. */
export function RoleField({ roles, current = 'VIEWER', meanings = ROLE_DESCRIPTIONS, onChoose }: RoleFieldProps) {
  const [chosenRole, setChosenRole] = useState(current);
  const choose = (role: Role) => {
    setChosenRole(role);
    onChoose?.(role);
  };
  return (
    <Field name="role" label="Role" hint={roleSentence(chosenRole, meanings)}>
      {(attributes) => (
        <select {...attributes} value={chosenRole} onChange={(event) => choose(event.target.value as Role)}>
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

/** Returns the chosen role of a submitted form. */
export const readRole = (form: FormData): Role => String(form.get('role')) as Role;

interface RoleHolder {
  readonly ledgerId: string | null;
  readonly role: Role;
}

/** Returns the state in which the user has seen a role, as `saveSeen` takes it. */
export const loadedRole = ({ ledgerId, role }: RoleHolder) => ({
  ledgerId: ledgerId ?? '',
  fields: { role: String(role) },
});
export const roleText = (_: 'role', role: string): string => roleWord(role);
