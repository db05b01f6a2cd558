import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  type DestinationDetails,
  destinationKeys,
  destinationQuery,
  resumeDestination,
  sendAgain,
  testDestination,
} from '../../data/destinations.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { DestinationDeliveries } from './deliveries.tsx';
import { DestinationActions } from './destination-actions.tsx';
import {
  describeDestinationEvents,
  describeReceiver,
  describeStop,
  EXPIRY,
  TYPES,
} from './destination-descriptions.ts';
import { SendResponse } from './send-response.tsx';

const route = getRouteApi('/inside/destinations/$destination');

/** Shows one destination: its filter, the state of its deliveries, and actions to correct problems. */
export function DestinationPage() {
  const { destination: id } = route.useParams();
  return (
    <Loaded query={useQuery(destinationQuery(id))} missing={<Gone />}>
      {(destination) => <Shown key={id} destination={destination} />}
    </Loaded>
  );
}

function Shown({ destination }: { readonly destination: DestinationDetails }) {
  const { id, name, state } = destination;
  const mayManage = useAbility('manage_webhooks');
  const { sending, outcome, send } = useSending(id);
  const [wasResumed, setResumed] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="destination">
        <div className={page.head}>
          <div className={objects.title}>
            <h2 id="destination">
              <UserText>{name}</UserText>
            </h2>
            <span className={page.badge} data-danger={state === 'suspended' || undefined}>
              {state}
            </span>
          </div>
          {mayManage && (
            <DestinationActions
              destination={destination}
              isSending={sending !== null}
              isTesting={sending?.deliveryId === null}
              test={() => send({ deliveryId: null })}
              onNote={setNote}
            />
          )}
        </div>
        {state === 'suspended' && (
          <Suspended destination={destination} mayManage={mayManage} onResume={() => setResumed(true)} />
        )}
        {state !== 'suspended' && wasResumed && (
          <p role="status" className={objects.done}>
            Resumed. Waiting messages are being sent.
          </p>
        )}
        {note !== null && (
          <p role="status" className={objects.done}>
            {note}
          </p>
        )}
        {outcome && <SendResponse outcome={outcome} channel={describeReceiver(destination)} />}
        <DestinationFacts destination={destination} />
      </section>
      <DestinationDeliveries
        id={id}
        sending={sending}
        {...(mayManage && { redeliver: (deliveryId: string) => send({ deliveryId }) })}
      />
    </div>
  );
}

/** Sends one message at a time: a test message, or an earlier one again. */
function useSending(destinationId: string) {
  const client = useQueryClient();
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: async ({ deliveryId }: { readonly deliveryId: string | null }) => ({
      // A message that is sent again waits for its turn, so only a test has a response at once.
      delivery: deliveryId === null ? await testDestination(destinationId) : await sendAgain(destinationId, deliveryId),
      isTest: deliveryId === null,
    }),
    onSettled: () => void client.invalidateQueries({ queryKey: destinationKeys.all }),
  });
  const isShown = error !== null || data?.isTest === true;
  const outcome = isShown ? { delivery: data?.delivery ?? null, error } : null;
  return { sending: isPending ? variables : null, outcome, send: mutate };
}

function DestinationFacts({ destination }: { readonly destination: DestinationDetails }) {
  const { type, eventTypes, projects, environments, parameterNames, failingSince, owner, modifiedAt } = destination;
  const { signing, envelope, publicKeys, previousSecretUntil, expiryDays, createdAt } = destination;
  return (
    <>
      <Facts
        as="cards"
        facts={{
          Type: TYPES[type].label,
          Events: describeDestinationEvents(eventTypes),
          Scope: describeScope(destination),
          'Failing since': failingSince === null ? null : <When at={failingSince} />,
          'Last change': modifiedAt === null ? null : <When at={modifiedAt} />,
        }}
      />
      <Facts
        facts={{
          'Sends to': <UserText>{type === 'email' ? destination.recipients.join(', ') : destination.address}</UserText>,
          Body: envelope === null ? null : envelope === 'cloudevents' ? 'CloudEvents' : 'Standard Webhooks',
          Signature: signing === null ? null : signing === 'hmac' ? 'HMAC with a shared secret' : 'Ed25519',
          'Public keys': publicKeys.length === 0 ? null : publicKeys.map((key) => <code key={key}>{key} </code>),
          'Previous secret signs until':
            previousSecretUntil === null ? null : <When at={previousSecretUntil} as="upcoming" />,
          Projects: projects.length === 0 ? null : <UserText>{names(projects)}</UserText>,
          Environments: environments.length === 0 ? null : <UserText>{names(environments)}</UserText>,
          'Parameter names': parameterNames.length === 0 ? null : <UserText>{parameterNames.join(', ')}</UserText>,
          Reminders: eventTypes.includes(EXPIRY) ? `${expiryDays.join(', ')} days before a value expires` : null,
          'Notified of failures': owner && <UserText>{owner.name}</UserText>,
          Created: <When at={createdAt} />,
        }}
      />
    </>
  );
}

const names = (scopes: readonly { readonly name: string }[]): string => scopes.map(({ name }) => name).join(', ');

function describeScope({ projectIds, environmentIds, parameterNames }: DestinationDetails): string {
  const parts = [
    projectIds.length > 0 && formatCount(projectIds.length, 'project'),
    environmentIds.length > 0 && formatCount(environmentIds.length, 'environment'),
    parameterNames.length > 0 && formatCount(parameterNames.length, 'name'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'All projects and environments' : `Only ${parts.join(', ')}`;
}

interface SuspendedProps {
  readonly destination: DestinationDetails;
  readonly mayManage: boolean;
  onResume(): void;
}

function Suspended({ destination: { id, stateReason, hint }, mayManage, onResume }: SuspendedProps) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => resumeDestination(id),
    onSuccess: onResume,
    onSettled: () => client.invalidateQueries({ queryKey: destinationKeys.all }),
  });
  return (
    <div className={objects.problem} role="status">
      <p>
        <b>{describeStop(stateReason)}</b> {hint}
      </p>
      <p>Its messages are kept and sent in order when you resume it.</p>
      {mayManage && (
        <div className={page.buttons}>
          <button type="button" className={button.plain} disabled={isPending} onClick={() => mutate()}>
            {isPending ? 'Resuming …' : 'Resume'}
          </button>
        </div>
      )}
      {error && <ActionError error={error} />}
    </div>
  );
}

function Gone() {
  return (
    <div className={page.page}>
      <p className={page.note}>
        There is no such destination. It may have been deleted.{' '}
        <Link to="/webhooks" className={page.link}>
          All webhooks and destinations
        </Link>
      </p>
    </div>
  );
}
