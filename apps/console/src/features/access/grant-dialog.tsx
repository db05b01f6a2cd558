import type { Role } from '@strata/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ControlledScope, grantKeys, grantsQuery, type ListedGrant, putGrant } from '../../data/grants.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { viewerKeys } from '../../data/session.ts';
import { AccessPreview } from '../../kit/planned/access-preview.tsx';
import { roleWord } from '../../lib/role-word.ts';
import { Field } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { GrantMatrixRow } from './grant-matrix.ts';
import { loadedRole, roleText } from './role-field.tsx';
import { GRANT_PERMISSIONS, ROLES, roleSentence } from './roles.ts';

interface GrantDialogProps {
  readonly principal: GrantMatrixRow<ListedGrant>;
  readonly scope: ControlledScope;
  /** Whether it is the only grant on the scope. Removing it turns off access control there. */
  readonly isOnly: boolean;
  onClose(): void;
}

const NONE = '';
const NOTHING_SEEN = { ledgerId: '', fields: { role: NONE } };

/** Changes or removes the grant of one user, group or service account in one scope. */
export function GrantDialog({ principal, scope, isOnly, onClose }: GrantDialogProps) {
  const client = useQueryClient();
  const currentGrant = principal.grants.get(scope.id);
  const [grantChoice, setGrantChoice] = useState<Role | typeof NONE>(currentGrant?.role ?? 'VIEWER');
  const [seenRole, setSeenRole] = useState(currentGrant ? loadedRole(currentGrant) : NOTHING_SEEN);
  const put = (ledgerId: string) =>
    putGrant({
      principalId: principal.id,
      scopeId: scope.id,
      current: currentGrant && { id: currentGrant.id, ledgerId },
      role: grantChoice === NONE ? null : grantChoice,
    });
  const submit = async () => {
    await saveChangedFields(seenRole, {
      typed: { role: grantChoice },
      write: (_, ledgerId) => put(ledgerId),
      read: async () =>
        (await fetchUncached(client, grantsQuery)).filter(({ id }) => id === currentGrant?.id).map(loadedRole)[0],
      describeError: roleText,
      onSeen: setSeenRole,
    });
  };
  const endsControl = isOnly && grantChoice === NONE;
  const operations = planGrant(currentGrant, grantChoice, { principal: principal.id, scope: scope.id });
  return (
    <FormDialog
      title={`${principal.name} in ${scope.name}`}
      verb={endsControl ? 'Revoke and remove restriction' : 'Save'}
      busyVerb="Saving …"
      isDestructive={endsControl}
      // The permissions of the signed-in user depend on grants, too.
      kinds={[grantKeys.all, viewerKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <Field name="role" label="Role" hint={describeChoice(grantChoice, scope, endsControl)}>
        {(attributes) => (
          <select
            {...attributes}
            value={grantChoice}
            onChange={(event) => setGrantChoice(event.target.value as Role | typeof NONE)}
          >
            {currentGrant && <option value={NONE}>none</option>}
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {roleWord(role)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <AccessPreview operations={operations} />
    </FormDialog>
  );
}

/** Returns the operations of the change, for its plan; none if nothing changes. */
function planGrant(
  current: ListedGrant | undefined,
  choice: Role | typeof NONE,
  target: { readonly principal: string; readonly scope: string },
): ChangesetOperations {
  if (choice === (current?.role ?? NONE)) return [];
  if (!current) return [{ operation: 'grants_create', path: {}, body: { ...target, role: choice } }];
  const path = { id: current.id };
  return choice === NONE
    ? [{ operation: 'grants_destroy', path }]
    : [{ operation: 'grants_partial_update', path, body: { role: choice } }];
}

function describeChoice(
  grantChoice: Role | typeof NONE,
  { name, kind }: ControlledScope,
  endsControl: boolean,
): string {
  if (grantChoice !== NONE) return roleSentence(grantChoice, GRANT_PERMISSIONS);
  return endsControl
    ? `This is the only grant. If you revoke it, the ${kind} ${name} is no longer restricted: everyone in the organization has access by role.`
    : `No access to the ${kind} ${name}, except through a group or as an admin of the organization.`;
}
