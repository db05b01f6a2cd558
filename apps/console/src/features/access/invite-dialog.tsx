import type { Role } from '@strata/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type InvitationLink, invitationKeys, invite } from '../../data/people.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, typedIn } from '../../ui/form.tsx';
import { InvitationLinkShown } from './invitation-link-shown.tsx';
import { RoleField, roleIn } from './role-field.tsx';

interface InviteDialogProps {
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Makes an invitation, then shows its link. */
export function InviteDialog({ roles, onClose }: InviteDialogProps) {
  const client = useQueryClient();
  const [made, setMade] = useState<InvitationLink | null>(null);
  const submit = async (given: FormData) => {
    setMade(await invite({ email: typedIn(given, 'email'), role: roleIn(given) }));
    void client.invalidateQueries({ queryKey: invitationKeys.all });
  };
  return (
    <Dialog title={made ? 'Hand over this link' : 'Invite somebody'} closesLightly={!made} onClose={onClose}>
      {made ? (
        <InvitationLinkShown made={made} onDone={onClose} />
      ) : (
        <Form verb="Make an invitation" busyVerb="Making it …" submit={submit}>
          <Field
            name="email"
            label="E-mail address"
            hint="Nothing is sent: you get a link, and hand it over yourself, for example in a chat."
          >
            {(attributes) => <input {...attributes} type="email" required autoComplete="off" />}
          </Field>
          <RoleField roles={roles} />
        </Form>
      )}
    </Dialog>
  );
}
