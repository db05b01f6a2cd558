import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAbility } from '../../data/abilities.ts';
import { destinationsQuery, type ListedDestination } from '../../data/destinations.ts';
import button from '../../ui/button.module.css';
import { ListPage } from '../../ui/list-page.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { STATES } from './delivery-descriptions.ts';
import { describeReceiver, describeStop, TYPES } from './destination-descriptions.ts';

/** Lists the destinations with the state of their deliveries, suspended ones first. */
export function DestinationList() {
  const destinations = useQuery(destinationsQuery);
  const mayManage = useAbility('manage_webhooks');
  const suspended = (destinations.data ?? []).filter(({ state }) => state === 'suspended').length;
  const urgency = ({ state, failingSince }: ListedDestination) =>
    state === 'suspended' ? 0 : failingSince === null ? 2 : 1;
  return (
    <ListPage
      label="Destinations"
      query={destinations}
      about={
        <>
          <span className={objects.listName}>Destinations.</span>{' '}
          {suspended > 0 && <b className={objects.bad}>{suspended} suspended. </b>}
          They send changes and reminders to an HTTP endpoint, Teams, Discord or e-mail addresses, with a filter.
        </>
      }
      action={
        mayManage && (
          <Link to="/destinations/new" className={button.plain}>
            <Plus size={15} aria-hidden /> Create destination
          </Link>
        )
      }
    >
      {(rows) => (
        <ul className={objects.list}>
          {[...rows]
            .sort((left, right) => urgency(left) - urgency(right))
            .map((destination) => (
              <DestinationLine key={destination.id} destination={destination} />
            ))}
        </ul>
      )}
    </ListPage>
  );
}

function DestinationLine({ destination }: { readonly destination: ListedDestination }) {
  const { id, name, type, state } = destination;
  return (
    <li className={objects.line} data-problem={state === 'suspended' || undefined}>
      <Link to="/destinations/$destination" params={{ destination: id }} className={objects.name}>
        <UserText>{name}</UserText>
      </Link>
      <span className={objects.summary}>
        <UserText>{describeReceiver(destination)}</UserText>
      </span>
      <div className={objects.health}>
        {state === 'suspended' && (
          <span className={page.badge} data-danger>
            suspended
          </span>
        )}
        <Health destination={destination} />
      </div>
      <span className={objects.faint}>{TYPES[type].shortLabel}</span>
    </li>
  );
}

function Health({
  destination: { state, stateReason, failingSince, deliveries },
}: {
  readonly destination: ListedDestination;
}) {
  const lastDelivery = deliveries.edges[0]?.node;
  if (state === 'suspended') return <p className={objects.bad}>{describeStop(stateReason)}</p>;
  if (!lastDelivery) return <p className={objects.faint}>Nothing sent yet</p>;
  const isBad = failingSince !== null || 'isBad' in STATES[lastDelivery.status];
  return (
    <p className={isBad ? objects.bad : objects.faint}>
      Last message {STATES[lastDelivery.status].ofLast}
      {lastDelivery.nextAttemptAt ? (
        <>
          . Next attempt <When at={lastDelivery.nextAttemptAt} as="upcoming" />
        </>
      ) : (
        <>
          {' '}
          · <When at={lastDelivery.createdAt} />
        </>
      )}
    </p>
  );
}
