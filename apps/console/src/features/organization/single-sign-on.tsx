import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fullName, peopleQuery } from '../../data/people.ts';
import { viewerQuery } from '../../data/session.ts';
import {
  changeSignInPolicy,
  type OrganizationProvider,
  type OwnSignInPolicy,
  signInPolicyKeys,
  signInPolicyQuery,
} from '../../data/sign-in-policy.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { Check, Field, Form } from '../../ui/form.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { SavedNote } from '../../ui/saved-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';

interface SingleSignOnProps {
  readonly organizationId: string;
  readonly mayChange: boolean;
}

/** Shows the identity providers of the organization, and whether its members must sign in with one of them. */
export function SingleSignOn(props: SingleSignOnProps) {
  const { data: policy, error, refetch } = useQuery(signInPolicyQuery);
  return (
    <section className={page.part} aria-labelledby="single-sign-on">
      <h2 id="single-sign-on">Single sign-on</h2>
      {error && (
        <ActionError error={error}>
          <button type="button" className={button.plain} onClick={() => void refetch()}>
            Try again
          </button>
        </ActionError>
      )}
      {policy && <LoadedPolicy {...props} policy={policy} />}
    </section>
  );
}

function LoadedPolicy({ policy, organizationId, mayChange }: SingleSignOnProps & { readonly policy: OwnSignInPolicy }) {
  const { providers, ssoOnly, breakGlassOwnerId } = policy;
  const [isSaved, setSaved] = useState(false);
  const hasProviders = providers.length > 0;
  return (
    <>
      {hasProviders ? <ListTable rows={providers} columns={COLUMNS} nameOf={({ name }) => name} /> : <NoProvider />}
      {(hasProviders || ssoOnly) && !mayChange && <Policy policy={policy} />}
      {(hasProviders || ssoOnly) && mayChange && (
        <PolicyForm
          key={`${ssoOnly} ${breakGlassOwnerId}`}
          organizationId={organizationId}
          policy={policy}
          isSaved={isSaved}
          onSave={setSaved}
        />
      )}
    </>
  );
}

function NoProvider() {
  return (
    <p className={page.note}>
      This organization has no identity provider. The operator of this installation adds providers with the setting{' '}
      <code>STRATA_IDENTITY_PROVIDERS</code>. The guide “Use single sign-on” describes how.
    </p>
  );
}

const COLUMNS: readonly ListColumn<OrganizationProvider>[] = [
  { title: 'Identity provider', cell: ({ name }) => <UserText>{name}</UserText> },
  {
    title: 'E-mail domains',
    cell: ({ domains }) => <UserText>{domains.length === 0 ? 'none' : domains.join(', ')}</UserText>,
  },
];

function Policy({ policy: { ssoOnly, breakGlassOwner } }: { readonly policy: OwnSignInPolicy }) {
  if (!ssoOnly) return <p className={page.note}>Members can sign in with a password as well.</p>;
  return (
    <p className={page.note}>
      Members must sign in with an identity provider.
      {breakGlassOwner && (
        <>
          {' '}
          Only the break-glass owner <UserText>{fullName(breakGlassOwner)}</UserText> can sign in with a password.
        </>
      )}
    </p>
  );
}

interface PolicyFormProps {
  readonly organizationId: string;
  readonly policy: OwnSignInPolicy;
  /** Whether this policy was saved here. */
  readonly isSaved: boolean;
  onSave(isSaved: boolean): void;
}

function PolicyForm({ organizationId, policy, isSaved, onSave }: PolicyFormProps) {
  const client = useQueryClient();
  const [isRequired, setRequired] = useState(policy.ssoOnly);
  const submit = async (form: FormData) => {
    onSave(false);
    const owner = form.get('break_glass_owner');
    const input = { ssoOnly: isRequired, ...(owner && { breakGlassOwner: String(owner) }) };
    await changeSignInPolicy({ id: organizationId, input });
    await client.invalidateQueries({ queryKey: signInPolicyKeys.all });
    onSave(true);
  };
  return (
    <Form verb="Save sign-in policy" busyVerb="Saving …" submit={submit} aside={<SavedNote isSaved={isSaved} />}>
      <Check checked={isRequired} onChange={(event) => setRequired(event.target.checked)}>
        Require single sign-on
      </Check>
      {isRequired && (
        <>
          <OwnerField current={policy.breakGlassOwnerId} />
          <p className={page.note}>
            All other members must sign in with a provider. Within one second, they lose access to this organization in
            sessions that they started with a password. This includes you, unless you are the break-glass owner. API
            keys of service accounts stay valid.
          </p>
        </>
      )}
    </Form>
  );
}

/** The choice of the OWNER who may still sign in with a password; by default the user. */
function OwnerField({ current }: { readonly current: string | null }) {
  const { data: people } = useQuery(peopleQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const owners = people?.filter(({ role }) => role === 'OWNER');
  return (
    <Field
      name="break_glass_owner"
      label="Break-glass owner"
      hint="This owner can still sign in with a password, for example if the provider fails."
    >
      {(attributes) => (
        <select {...attributes} key={owners?.length} defaultValue={current ?? viewer?.user.id}>
          {owners?.map((owner) => (
            <option key={owner.id} value={owner.id}>
              {withVisibleCharacters(fullName(owner))}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
