import type { Role } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import { ownOrganizationsQuery } from '../../data/organizations.ts';
import { Check } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { RoleField, readRole } from './role-field.tsx';

export interface ChosenPermissions {
  readonly role: Role;
  readonly revealsSecrets: boolean;
}

interface PermissionFieldsProps {
  /** The roles to choose from, lowest first. */
  readonly roles: readonly Role[];
  /** The stored permissions of a member or an invitation; absent for a new one. */
  readonly current?: ChosenPermissions;
  readonly isProgram?: boolean;
  /** Fields that only the role VIEWER has. */
  readonly forViewer?: ReactNode;
  /** Shows the effects of the chosen permissions. */
  preview?(chosen: ChosenPermissions): ReactNode;
}

/** Renders the choice of a role, and of the ability to reveal secrets. */
export function PermissionFields({ roles, current, isProgram = false, forViewer, preview }: PermissionFieldsProps) {
  const mayGive = useMayReveal();
  const { data: organizations } = useQuery(ownOrganizationsQuery);
  const [role, setRole] = useState(current?.role ?? 'VIEWER');
  const [chosenReveal, setChosenReveal] = useState(current?.revealsSecrets);
  const viewersReveal = organizations?.find(({ current }) => current)?.viewersRevealSecrets ?? false;
  const reveals = chosenReveal ?? (mayGive && (isProgram || role !== 'VIEWER' || viewersReveal));
  return (
    <>
      <RoleField roles={roles} current={role} onChoose={setRole} />
      {role === 'VIEWER' && forViewer}
      <Check
        name="reveals_secrets"
        checked={reveals}
        disabled={!mayGive && !reveals}
        onChange={(event) => setChosenReveal(event.target.checked)}
        hint={
          mayGive
            ? 'Shows, copies and exports secrets in plain text. Each reveal is recorded.'
            : 'You can’t reveal secrets, so you can’t give this ability.'
        }
      >
        Reveal secrets
      </Check>
      {preview?.({ role, revealsSecrets: reveals })}
    </>
  );
}

/** Returns the chosen permissions of a submitted form. */
export const permissionsFromForm = (form: FormData): ChosenPermissions => ({
  role: readRole(form),
  revealsSecrets: form.has('reveals_secrets'),
});

/** Shows below a role that its holder may not reveal secrets. */
export const WithoutReveal = () => <p className={page.under}>can’t reveal secrets</p>;
