import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  createDestination,
  type DestinationDetails,
  type DestinationInput,
  destinationKeys,
  destinationQuery,
  updateDestination,
} from '../../data/destinations.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import button from '../../ui/button.module.css';
import { Loaded } from '../../ui/loaded.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { DestinationForm } from './destination-form.tsx';

const changed = getRouteApi('/inside/destinations/$destination/change');

interface Created {
  readonly id: string;
  readonly secret: string;
}

/** Creates a destination, and then shows its secret if it has one. */
export function NewDestinationPage() {
  const finish = useFinish();
  const [createdDestination, setCreatedDestination] = useState<Created | null>(null);
  if (!useAbility('manage_webhooks')) return <NotAllowed />;
  const submit = async (input: DestinationInput) => {
    const { id, secret } = await createDestination(input);
    if (secret === null) return finish(id);
    setCreatedDestination({ id, secret });
  };
  return (
    <div className={page.page}>
      {createdDestination ? (
        <OneTimeSecret
          secret={createdDestination.secret}
          copyLabel="Copy secret"
          onDone={() => void finish(createdDestination.id)}
        >
          <p>The destination was created. The receiver verifies the signatures of messages with this secret.</p>
        </OneTimeSecret>
      ) : (
        <DestinationForm
          verb="Create destination"
          busyVerb="Creating …"
          destination={null}
          submit={submit}
          aside={
            <Link to="/webhooks" className={button.quiet}>
              Cancel
            </Link>
          }
        />
      )}
    </div>
  );
}

export function ChangeDestinationPage() {
  const { destination: id } = changed.useParams();
  // The destination is not refetched, so that the input stays when another user changes the destination.
  const query = useQuery({ ...destinationQuery(id), refetchInterval: false });
  const mayManage = useAbility('manage_webhooks');
  return (
    <Loaded query={query} missing={<NotAllowed />}>
      {(destination) => (mayManage ? <ChangeDestination key={id} current={destination} /> : <NotAllowed />)}
    </Loaded>
  );
}

function ChangeDestination({ current }: { readonly current: DestinationDetails }) {
  const { id } = current;
  const [initialDestination] = useState(current);
  const [seenDestination, setSeenDestination] = useState(loadedDestination(current));
  const client = useQueryClient();
  const finish = useFinish();
  const submit = async (input: DestinationInput) => {
    const { address = null } = input;
    const texts = { ...fieldTexts(input), address: address ?? seenDestination.fields.address };
    await saveChangedFields(seenDestination, {
      typed: texts,
      write: (names, expectedLedgerId) => {
        const isChanged = (name: keyof typeof texts) => names.includes(name);
        return updateDestination({
          id,
          expectedLedgerId,
          input: {
            ...(isChanged('name') && { name: input.name }),
            ...(isChanged('address') && { address }),
            ...(isChanged('recipients') && { recipients: input.recipients ?? [] }),
            ...(isChanged('envelope') && { envelope: input.envelope ?? null }),
            ...(isChanged('event_types') && { eventTypes: input.eventTypes }),
            ...(isChanged('expiry_days') && { expiryDays: input.expiryDays ?? [] }),
            ...(isChanged('projects') && { projectIds: input.projectIds ?? [] }),
            ...(isChanged('environments') && { environmentIds: input.environmentIds ?? [] }),
            ...(isChanged('parameter_names') && { parameterNames: input.parameterNames ?? [] }),
          },
        });
      },
      read: async () => {
        const now = await fetchUncached(client, destinationQuery(id));
        return now && loadedDestination(now);
      },
      onSeen: setSeenDestination,
    });
    await finish(id);
  };
  return (
    <div className={page.page}>
      <DestinationForm
        verb="Save"
        busyVerb="Saving …"
        destination={initialDestination}
        submit={submit}
        aside={
          <Link to="/destinations/$destination" params={{ destination: id }} className={button.quiet}>
            Cancel
          </Link>
        }
      />
    </div>
  );
}

type Content = Partial<
  Pick<
    DestinationDetails,
    'address' | 'recipients' | 'envelope' | 'expiryDays' | 'projectIds' | 'environmentIds' | 'parameterNames'
  >
> & { readonly name: string; readonly eventTypes: readonly string[] | string };

const sorted = (entries: readonly (string | number)[] | undefined): string => [...(entries ?? [])].sort().join(', ');

/** Returns the values by field name, so that equal values have equal texts. */
const fieldTexts = (content: { readonly [Key in keyof Content]: unknown }) => {
  const { name, address, recipients, envelope, eventTypes, expiryDays, projectIds, environmentIds, parameterNames } =
    content as Content;
  return {
    name,
    address: address ?? '',
    recipients: sorted(recipients),
    envelope: envelope ?? '',
    event_types: sorted([eventTypes].flat()),
    expiry_days: sorted(expiryDays),
    projects: sorted(projectIds),
    environments: sorted(environmentIds),
    parameter_names: sorted(parameterNames),
  };
};

const loadedDestination = (destination: DestinationDetails) => ({
  ledgerId: destination.ledgerId,
  fields: fieldTexts(destination),
});

/** Returns a function that opens the page of the destination in place of the form. */
function useFinish(): (id: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (id) => {
    await client.invalidateQueries({ queryKey: destinationKeys.all });
    await navigate({ to: '/destinations/$destination', params: { destination: id }, replace: true });
  };
}

function NotAllowed() {
  return (
    <PageNote>
      This form creates and changes destinations.{' '}
      <Link to="/webhooks" className={page.link}>
        All webhooks and destinations
      </Link>
    </PageNote>
  );
}
