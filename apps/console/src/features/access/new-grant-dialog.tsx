import type { Role } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ControlledScope,
  createTemporaryGrant,
  grantKeys,
  type ListedGrant,
  putGrant,
} from '../../data/grants.ts';
import { groupsQuery } from '../../data/groups.ts';
import { displayName, fullName, peopleQuery } from '../../data/people.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { serviceAccountsQuery } from '../../data/service-accounts.ts';
import { viewerKeys } from '../../data/session.ts';
import { AccessPreview } from '../../kit/planned/access-preview.tsx';
import { Field, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { RoleField, readRole } from './role-field.tsx';
import { GRANT_PERMISSIONS, ROLES } from './roles.ts';

interface NewGrantDialogProps {
  /** The scopes in which the user may grant access. */
  readonly scopes: readonly ControlledScope[];
  readonly grants: readonly ListedGrant[];
  onClose(): void;
}

/** Grants a role on a project or an environment, in place of the role that the member or group has there. */
export function NewGrantDialog({ scopes, grants, onClose }: NewGrantDialogProps) {
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: people = [] } = useQuery(peopleQuery);
  const { data: accounts = [] } = useQuery(serviceAccountsQuery);
  const [chosen, setChosen] = useState<ChosenGrant>({ role: 'VIEWER' });
  const firstPrincipal = groups[0]?.id ?? people[0]?.id ?? accounts[0]?.id;
  const operations = planGrant(grants, { principalId: firstPrincipal, scopeId: scopes[0]?.id, ...chosen });
  const submit = async (form: FormData) => {
    const [principalId, scopeId] = [trimmedField(form, 'principal'), trimmedField(form, 'scope')];
    const end = trimmedField(form, 'expires_at');
    if (end !== '') {
      // The field contains local time.
      const expiresAt = new Date(end).toISOString();
      return createTemporaryGrant({ principalId, scopeId, role: readRole(form), expiresAt });
    }
    const current = grants.find((grant) => {
      return grant.expiresAt === null && grant.principalId === principalId && grant.scopeId === scopeId;
    });
    await putGrant({ principalId, scopeId, current, role: readRole(form) });
  };
  return (
    <FormDialog
      title="Grant access"
      verb="Grant access"
      busyVerb="Granting …"
      kinds={[grantKeys.all, viewerKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <Field name="principal" label="To">
        {(attributes) => (
          <select {...attributes} onChange={(event) => setChosen({ ...chosen, principalId: event.target.value })}>
            <Choices label="Groups" of={groups.map(({ id, name }) => ({ id, name }))} />
            <Choices label="People" of={people.map((person) => ({ id: person.id, name: fullName(person) }))} />
            <Choices label="Service accounts" of={accounts.map(({ id, user }) => ({ id, name: displayName(user) }))} />
          </select>
        )}
      </Field>
      <Field name="scope" label="In">
        {(attributes) => (
          <select {...attributes} onChange={(event) => setChosen({ ...chosen, scopeId: event.target.value })}>
            {scopes.map(({ id, name, kind }) => (
              <option key={id} value={id}>
                {withVisibleCharacters(name)} ({kind})
              </option>
            ))}
          </select>
        )}
      </Field>
      <RoleField
        roles={ROLES}
        current={chosen.role}
        meanings={GRANT_PERMISSIONS}
        onChoose={(role) => setChosen({ ...chosen, role })}
      />
      <Field name="expires_at" label="Until (optional)" hint="Without a time, the grant does not end by itself.">
        {(attributes) => <input {...attributes} type="datetime-local" />}
      </Field>
      <AccessPreview operations={operations} />
    </FormDialog>
  );
}

interface ChosenGrant {
  readonly principalId?: string | undefined;
  readonly scopeId?: string | undefined;
  readonly role: Role;
}

/** Returns the operations of the grant, for its plan. */
function planGrant(
  grants: readonly ListedGrant[],
  { principalId: principal, scopeId: scope, role }: ChosenGrant,
): ChangesetOperations {
  if (principal === undefined || scope === undefined) return [];
  const current = grants.find((grant) => {
    return grant.expiresAt === null && grant.principalId === principal && grant.scopeId === scope;
  });
  if (!current) return [{ operation: 'grants_create', path: {}, body: { principal, scope, role } }];
  return [{ operation: 'grants_partial_update', path: { id: current.id }, body: { role } }];
}

interface ChoicesProps {
  readonly label: string;
  readonly of: readonly { readonly id: string; readonly name: string }[];
}

function Choices({ label, of }: ChoicesProps) {
  if (of.length === 0) return null;
  return (
    <optgroup label={label}>
      {of.map(({ id, name }) => (
        <option key={id} value={id}>
          {withVisibleCharacters(name)}
        </option>
      ))}
    </optgroup>
  );
}
