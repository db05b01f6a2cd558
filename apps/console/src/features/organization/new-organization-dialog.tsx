import { createOrganization } from '../../data/organizations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, typedIn } from '../../ui/form.tsx';

/** Makes another organization and goes there. */
export function NewOrganizationDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="New organization" onClose={onClose}>
      <Form
        verb="Make it and go there"
        busyVerb="Making it …"
        submit={(given) => createOrganization(typedIn(given, 'name'))}
      >
        <Field
          name="name"
          label="Name"
          hint="It begins with the environments default, development, staging and production, and with you as its owner."
        >
          {(attributes) => <input {...attributes} required maxLength={256} autoComplete="off" />}
        </Field>
      </Form>
    </Dialog>
  );
}
