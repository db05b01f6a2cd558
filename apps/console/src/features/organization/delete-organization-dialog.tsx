import { useState } from 'react';
import { deleteOrganization, type OwnOrganization } from '../../data/organizations.ts';
import { useSignOut } from '../../kit/use-sign-out.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { isConfirmed, NameConfirmation } from '../../ui/name-confirmation.tsx';

interface DeleteOrganizationDialogProps {
  readonly organization: OwnOrganization;
  onClose(): void;
}

/** Deletes an organization after the user has typed its name. */
export function DeleteOrganizationDialog({ organization, onClose }: DeleteOrganizationDialogProps) {
  // The version that the user saw when the dialog opened.
  const [seenOrganization] = useState(organization);
  const { name } = seenOrganization;
  const signOut = useSignOut();
  const [typedName, setTypedName] = useState('');
  const submit = async () => {
    await deleteOrganization(seenOrganization);
    // Deleting the organization has ended its sessions.
    await signOut();
  };
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <Form
        verb="Delete organization"
        busyVerb="Deleting …"
        isDestructive
        isPossible={isConfirmed(typedName, name)}
        submit={submit}
      >
        <p>
          All its projects, environments, people and keys are deleted. You can’t undo this. You are signed out. Other
          organizations are not affected.
        </p>
        <NameConfirmation name={name} typed={typedName} onType={setTypedName} />
      </Form>
    </Dialog>
  );
}
