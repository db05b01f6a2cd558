import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import {
  changeOrganization,
  type OwnOrganization,
  organizationKeys,
  ownOrganizationsQuery,
} from '../../data/organizations.ts';
import { viewerQuery } from '../../data/session.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { Check, Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { SavedNote } from '../../ui/saved-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { DeleteOrganizationDialog } from './delete-organization-dialog.tsx';
import { NewOrganizationDialog } from './new-organization-dialog.tsx';
import styles from './organization-page.module.css';
import { SingleSignOn } from './single-sign-on.tsx';

/** Shows the settings of the organization, and allows owners to delete it. */
export function OrganizationPage() {
  const organizations = useQuery(ownOrganizationsQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const mayChange = useAbility('change_organization');
  const [openDialog, setOpenDialog] = useState<'delete' | 'new' | null>(null);
  if (organizations.error)
    return <ErrorMessage error={organizations.error} reset={() => void organizations.refetch()} />;
  const organization = organizations.data?.find(({ current }) => current);
  if (!organization) return <p className={page.page}>Loading …</p>;
  const isPerson = viewer?.user.type === 'interactive';
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="name">
        <h2 id="name">
          <UserText>{organization.name}</UserText>
        </h2>
        <Facts organization={organization} />
      </section>
      {mayChange && <Settings key={organization.id} organization={organization} />}
      <SingleSignOn organizationId={organization.id} mayChange={mayChange} />
      {isPerson && (
        <section className={page.part} aria-labelledby="others">
          <h2 id="others">Other organizations</h2>
          <p className={page.note}>
            Organizations are fully separate. To switch, open the menu at the organization’s name.
          </p>
          <button type="button" className={button.plain} onClick={() => setOpenDialog('new')}>
            Create organization
          </button>
        </section>
      )}
      {mayChange && (
        <section className={page.part} aria-labelledby="deletion">
          <h2 id="deletion">Delete organization</h2>
          <p className={page.note}>
            All people and programs lose access immediately. Its data can no longer be accessed.
          </p>
          <button type="button" className={button.danger} onClick={() => setOpenDialog('delete')}>
            Delete organization …
          </button>
        </section>
      )}
      {openDialog === 'new' && <NewOrganizationDialog onClose={() => setOpenDialog(null)} />}
      {openDialog === 'delete' && (
        <DeleteOrganizationDialog organization={organization} onClose={() => setOpenDialog(null)} />
      )}
    </div>
  );
}

function Facts({
  organization: { id, role, createdAt, projectNamePattern },
}: {
  readonly organization: OwnOrganization;
}) {
  return (
    <dl className={styles.facts}>
      <dt>Your role</dt>
      <dd>{roleWord(role)}</dd>
      <dt>Project names</dt>
      <dd>
        {projectNamePattern === '' ? (
          'any'
        ) : (
          <code>
            <UserText>{projectNamePattern}</UserText>
          </code>
        )}
      </dd>
      <dt>Created</dt>
      <dd>
        <When at={createdAt} />
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  );
}

const loadedOrganization = ({ ledgerId, name, projectNamePattern, viewersRevealSecrets }: OwnOrganization) => ({
  ledgerId,
  fields: {
    name,
    project_name_pattern: projectNamePattern,
    viewers_reveal_secrets: viewersRevealSecrets ? 'on' : 'off',
  },
});

type Fields = ReturnType<typeof loadedOrganization>['fields'];

const changedInput = (input: Fields, changedFields: readonly (keyof Fields)[]) => ({
  ...(changedFields.includes('name') && { name: input.name }),
  ...(changedFields.includes('project_name_pattern') && { projectNamePattern: input.project_name_pattern }),
  ...(changedFields.includes('viewers_reveal_secrets') && {
    viewersRevealSecrets: input.viewers_reveal_secrets === 'on',
  }),
});

function Settings({ organization }: { readonly organization: OwnOrganization }) {
  const { id, name, projectNamePattern, viewersRevealSecrets } = organization;
  const client = useQueryClient();
  const [seenOrganization, setSeenOrganization] = useState(loadedOrganization(organization));
  const [isSaved, setSaved] = useState(false);
  const submit = async (form: FormData) => {
    setSaved(false);
    const input = {
      name: trimmedField(form, 'name'),
      project_name_pattern: trimmedField(form, 'project_name_pattern'),
      viewers_reveal_secrets: form.has('viewers_reveal_secrets') ? 'on' : 'off',
    };
    const isStored = await saveChangedFields(seenOrganization, {
      typed: input,
      write: (changedFields, expectedLedgerId) => {
        return changeOrganization({ id, input: changedInput(input, changedFields), expectedLedgerId });
      },
      read: async () =>
        (await fetchUncached(client, ownOrganizationsQuery))
          .filter((organization) => organization.id === id)
          .map(loadedOrganization)[0],
      onSeen: setSeenOrganization,
    });
    // The form keeps the seen version, because the stored one may contain changes of other users to fields that the form does not show.
    if (isStored) setSeenOrganization({ ledgerId: seenOrganization.ledgerId, fields: input });
    await Promise.all([
      client.invalidateQueries({ queryKey: organizationKeys.all }),
      client.invalidateQueries({ queryKey: viewerQuery.queryKey }),
    ]);
    setSaved(true);
  };
  return (
    <section className={page.part} aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <Form verb="Save" busyVerb="Saving …" submit={submit} aside={<SavedNote isSaved={isSaved} />}>
        <Field name="name" label="Name">
          {(attributes) => <input {...attributes} required maxLength={256} autoComplete="off" defaultValue={name} />}
        </Field>
        <Field
          name="project_name_pattern"
          label="Project name pattern"
          hint="A regular expression that new project names must match, such as ^[a-z-]+$. Leave it empty to allow any name."
        >
          {(attributes) => (
            <input {...attributes} spellCheck={false} autoComplete="off" defaultValue={projectNamePattern} />
          )}
        </Field>
        <Check
          name="viewers_reveal_secrets"
          defaultChecked={viewersRevealSecrets}
          hint="Applies to people who join as viewer from now on. Change members in Access."
        >
          New viewers can reveal secrets
        </Check>
      </Form>
    </section>
  );
}
