import type { Role } from '@strata/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type InvitationLink, invitationKeys, invite } from '../../data/people.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { InvitationLinkShown } from './invitation-link-shown.tsx';
import { PermissionFields, permissionsFromForm } from './permission-fields.tsx';

interface InviteDialogProps {
  readonly roles: readonly Role[];
  onClose(): void;
}

/** Creates an invitation and then shows its link. */
export function InviteDialog({ roles, onClose }: InviteDialogProps) {
  const client = useQueryClient();
  const [link, setLink] = useState<InvitationLink | null>(null);
  const submit = async (form: FormData) => {
    setLink(await invite({ email: trimmedField(form, 'email'), ...permissionsFromForm(form) }));
    void client.invalidateQueries({ queryKey: invitationKeys.all });
  };
  return (
    <Dialog title={link ? 'Share this link' : 'Invite'} closesLightly={!link} onClose={onClose}>
      {link ? (
        <InvitationLinkShown link={link} onDone={onClose} />
      ) : (
        <Form verb="Create invite link" busyVerb="Creating …" submit={submit}>
          <Field
            name="email"
            label="E-mail address"
            hint="Strata sends no e-mail. You get a link to share yourself, for example in a chat."
          >
            {(attributes) => <input {...attributes} type="email" required autoComplete="off" />}
          </Field>
          <PermissionFields roles={roles} />
        </Form>
      )}
    </Dialog>
  );
}
