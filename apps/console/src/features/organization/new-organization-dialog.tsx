import { createOrganization } from '../../data/organizations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';

/** Creates an organization and opens it. */
export function NewOrganizationDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Create organization" onClose={onClose}>
      <Form
        verb="Create and switch"
        busyVerb="Creating …"
        submit={(form) => createOrganization(trimmedField(form, 'name'))}
      >
        <Field
          name="name"
          label="Name"
          hint="It starts with the environments default, development, staging and production. You are its owner."
        >
          {(attributes) => <input {...attributes} required maxLength={256} autoComplete="off" />}
        </Field>
      </Form>
    </Dialog>
  );
}
