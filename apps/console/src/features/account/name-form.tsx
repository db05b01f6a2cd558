import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { actorKeys } from '../../data/history.ts';
import { changeOwnName } from '../../data/own-account.ts';
import { membershipKeys } from '../../data/people.ts';
import { viewerKeys } from '../../data/session.ts';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { SavedNote } from '../../ui/saved-note.tsx';

/** Changes the name of the user. */
export function NameForm({ name }: { readonly name: string }) {
  const client = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  const submit = async (form: FormData) => {
    setSaved(false);
    await changeOwnName(trimmedField(form, 'name'));
    const staleKeys = [viewerKeys, membershipKeys, actorKeys];
    await Promise.all(staleKeys.map(({ all }) => client.invalidateQueries({ queryKey: all })));
    setSaved(true);
  };
  return (
    <section className={page.part} aria-labelledby="name">
      <h2 id="name">Name</h2>
      <Form verb="Save name" busyVerb="Saving …" isSecondary submit={submit} aside={<SavedNote isSaved={isSaved} />}>
        <Field
          name="name"
          label="Your name"
          hint="Shown to members of your organizations. Past changes keep the old name."
        >
          {(attributes) => <input {...attributes} required maxLength={128} autoComplete="name" defaultValue={name} />}
        </Field>
      </Form>
    </section>
  );
}
