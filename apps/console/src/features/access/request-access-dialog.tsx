import type { Role } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import { accessRequestKeys, requestAccess } from '../../data/access-requests.ts';
import { controlledScopesQuery } from '../../data/grants.ts';
import { viewerKeys } from '../../data/session.ts';
import { Field, TextField, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { RoleField, readRole } from './role-field.tsx';
import { GRANT_PERMISSIONS } from './roles.ts';

const DURATIONS = [
  { minutes: 15, title: '15 minutes' },
  { minutes: 60, title: '1 hour' },
  { minutes: 240, title: '4 hours' },
  { minutes: 1_440, title: '1 day' },
  { minutes: 10_080, title: '7 days' },
] as const;

/** An OWNER could grant access that does not end. */
const TEMPORARY_ROLES: readonly Role[] = ['VIEWER', 'CONTRIB', 'ADMIN'];

/** The choice of the ability to reveal secrets, in place of a scope. */
const REVEAL = 'reveal';

/** Requests a role on a restricted scope, or the ability to reveal secrets, for a limited time. */
export function RequestAccessDialog({ onClose }: { onClose(): void }) {
  const { data: scopes = [] } = useQuery(controlledScopesQuery);
  const mayReveal = useMayReveal();
  const [target, setTarget] = useState<string | null>(null);
  const chosenTarget = target ?? scopes[0]?.id ?? REVEAL;
  const submit = async (form: FormData) => {
    const right = chosenTarget === REVEAL ? { reveal: true } : { scopeId: chosenTarget, role: readRole(form) };
    const durationMinutes = Number(trimmedField(form, 'duration_minutes'));
    await requestAccess({ ...right, durationMinutes, message: trimmedField(form, 'message') });
  };
  return (
    <FormDialog
      title="Request access"
      verb="Request access"
      busyVerb="Requesting …"
      kinds={[accessRequestKeys.all, viewerKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <Field
        name="scope"
        label="To"
        hint={
          chosenTarget === REVEAL
            ? 'If you are an admin or owner, your access begins at once (break-glass read), for at most 4 hours.'
            : 'Members who can grant access to it decide.'
        }
      >
        {(attributes) => (
          <select {...attributes} value={chosenTarget} onChange={(event) => setTarget(event.target.value)}>
            {scopes.map(({ id, name, kind }) => (
              <option key={id} value={id}>
                {withVisibleCharacters(name)} ({kind})
              </option>
            ))}
            {(!mayReveal || scopes.length === 0) && <option value={REVEAL}>Reveal secrets</option>}
          </select>
        )}
      </Field>
      {chosenTarget !== REVEAL && <RoleField roles={TEMPORARY_ROLES} meanings={GRANT_PERMISSIONS} />}
      <Field name="duration_minutes" label="For">
        {(attributes) => (
          <select {...attributes} defaultValue={60}>
            {DURATIONS.map(({ minutes, title }) => (
              <option key={minutes} value={minutes}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField name="message" label="Why" hint="The history shows it." maxLength={1_000} />
    </FormDialog>
  );
}
