import type { Role } from '@strata/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { actorKeys } from '../../data/history.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import { displayName, fullName, peopleQuery } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import {
  changeServiceAccount,
  createServiceAccount,
  type ListedAccount,
  parseMemberId,
  rekeyServiceAccount,
  serviceAccountKeys,
  serviceAccountsQuery,
} from '../../data/service-accounts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { KeyFields, keyFromForm, OverlapField, readOverlap } from './key-fields.tsx';
import { PermissionFields, permissionsFromForm } from './permission-fields.tsx';
import { describeLimit, ProjectsField, readProjectLimit } from './projects-field.tsx';

interface NewAccountDialogProps {
  /** The roles that the user may assign. */
  readonly roles: readonly Role[];
  /** A proposed name. */
  readonly name?: string;
  /** The id of the project that the account is for. */
  readonly project?: string;
  onClose(): void;
}

/** Creates a service account and then shows its key. */
export function NewAccountDialog({ roles, name, project, onClose }: NewAccountDialogProps) {
  const make = (form: FormData) =>
    createServiceAccount({
      name: trimmedField(form, 'name'),
      description: trimmedField(form, 'description'),
      ...permissionsFromForm(form),
      onlyProjectIds: readProjectLimit(form),
      ...keyFromForm(form),
    });
  return (
    <KeyDialog title="Create service account" verb="Create service account" make={make} onClose={onClose}>
      <Field name="name" label="Name">
        {(attributes) => <input {...attributes} required maxLength={128} autoComplete="off" defaultValue={name} />}
      </Field>
      <Field name="description" label="Description" hint="Its purpose, and where its key is stored.">
        {(attributes) => <input {...attributes} autoComplete="off" />}
      </Field>
      <PermissionFields
        roles={roles}
        isProgram
        forViewer={<ProjectsField current={project === undefined ? null : [project]} />}
      />
      <KeyFields />
    </KeyDialog>
  );
}

interface OfAccountProps {
  readonly account: ListedAccount;
  onClose(): void;
}

/** Replaces the key of a service account and shows the new one. */
export function NewKeyDialog({ account, onClose }: OfAccountProps) {
  return (
    <KeyDialog
      title={`A new key for ${displayName(account.user)}`}
      verb="Create key"
      make={(form) => rekeyServiceAccount(account.id, { ...keyFromForm(form), overlapSeconds: readOverlap(form) })}
      onClose={onClose}
    >
      <OverlapField />
      <KeyFields />
    </KeyDialog>
  );
}

interface KeyDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly children: React.ReactNode;
  /** Creates or replaces the key, and returns it. */
  make(form: FormData): Promise<string>;
  onClose(): void;
}

function KeyDialog({ title, verb, children, make, onClose }: KeyDialogProps) {
  const client = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const submit = async (form: FormData) => {
    setKey(await make(form));
    void client.invalidateQueries({ queryKey: serviceAccountKeys.all });
    void client.invalidateQueries({ queryKey: actorKeys.all });
  };
  return (
    <Dialog title={key === null ? title : 'New key'} closesLightly={key === null} onClose={onClose}>
      {key === null ? (
        <Form verb={verb} busyVerb="Creating …" submit={submit}>
          {children}
        </Form>
      ) : (
        <OneTimeSecret secret={key} copyLabel="Copy key" onDone={onClose}>
          <p>
            Programs send it as <code>Authorization: Api-Key …</code>
          </p>
        </OneTimeSecret>
      )}
    </Dialog>
  );
}

const loadedAccount = ({ ledgerId, description, owner }: ListedAccount) => ({
  ledgerId,
  fields: { description, owner: parseMemberId(owner ?? '') ?? owner ?? '' },
});

/** Changes the description and the owner. The name is fixed, because the history contains it. */
export function AccountDialog({ account, onClose }: OfAccountProps) {
  const client = useQueryClient();
  const { data: people = [] } = useQuery(peopleQuery);
  const { owner } = loadedAccount(account).fields;
  const [seenAccount, setSeenAccount] = useState(loadedAccount(account));
  const submit = async (form: FormData) => {
    const fields = { description: trimmedField(form, 'description'), owner: trimmedField(form, 'owner') };
    await saveChangedFields(seenAccount, {
      typed: fields,
      write: (changedFields, expectedLedgerId) => {
        const input = Object.fromEntries(changedFields.map((name) => [name, fields[name]]));
        return changeServiceAccount({ id: account.id, input, expectedLedgerId });
      },
      read: async () =>
        (await fetchUncached(client, serviceAccountsQuery)).filter(({ id }) => id === account.id).map(loadedAccount)[0],
      onSeen: setSeenAccount,
      describeError: (name, text) => (name === 'owner' ? describeOwner(text) : text),
    });
  };
  const describeOwner = (id: string) => {
    const person = people.find((listedPerson) => listedPerson.id === id);
    return person ? fullName(person) : id;
  };
  return (
    <FormDialog
      title={`Change ${displayName(account.user)}`}
      verb="Save"
      busyVerb="Saving …"
      kinds={[serviceAccountKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <Field name="description" label="Description" hint="Its purpose, and where its key is stored.">
        {(attributes) => <input {...attributes} autoComplete="off" defaultValue={account.description} />}
      </Field>
      <Field name="owner" label="Owner" hint="The owner can change it too.">
        {(attributes) => (
          <select key={people.length} {...attributes} defaultValue={owner}>
            {!people.some(({ id }) => id === owner) && (
              <option value={owner}>{parseMemberId(account.owner ?? '') === null ? owner : 'former member'}</option>
            )}
            {people.map((listedPerson) => (
              <option key={listedPerson.id} value={listedPerson.id}>
                {withVisibleCharacters(displayName(listedPerson))}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

/** Changes the projects that an account is limited to. */
export function AccountProjectsDialog({ account, onClose }: OfAccountProps) {
  const client = useQueryClient();
  const [seenProjectLimit, setSeenProjectLimit] = useState(seenLimit(account));
  const { data: projects = [] } = useQuery(projectsQuery());
  const submit = async (form: FormData) => {
    await saveChangedFields(seenProjectLimit, {
      typed: { only_projects: limitText(readProjectLimit(form)) },
      write: (_, expectedLedgerId) =>
        changeServiceAccount({ id: account.id, input: { onlyProjectIds: readProjectLimit(form) }, expectedLedgerId }),
      read: async () =>
        (await fetchUncached(client, serviceAccountsQuery)).filter(({ id }) => id === account.id).map(seenLimit)[0],
      onSeen: setSeenProjectLimit,
      describeError: (_, text) => describeLimit(limitIn(text), projects),
    });
  };
  return (
    <FormDialog
      title={`Projects of ${displayName(account.user)}`}
      verb="Save"
      busyVerb="Saving …"
      kinds={[serviceAccountKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <ProjectsField current={account.onlyProjectIds} />
    </FormDialog>
  );
}

const limitText = (ids: readonly string[] | null): string => (ids === null ? 'all' : ids.toSorted().join(' '));
const limitIn = (text: string) => (text === 'all' ? null : text.split(' '));

const seenLimit = ({ ledgerId, onlyProjectIds }: ListedAccount) => ({
  ledgerId,
  fields: { only_projects: limitText(onlyProjectIds) },
});
