import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAbility } from '../../data/abilities.ts';
import { destinationsQuery, type ListedDestination } from '../../data/destinations.ts';
import button from '../../ui/button.module.css';
import { ListPage } from '../../ui/list-page.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { STATES } from './delivery-words.ts';
import { describeReceiver, describeStop, TYPES } from './destination-words.ts';
import styles from './webhooks.module.css';

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
          <span className={styles.listName}>Destinations.</span>{' '}
          {suspended > 0 && <b className={styles.bad}>{suspended} suspended. </b>}
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
        <ul className={styles.list}>
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
    <li className={styles.line} data-suspended={state === 'suspended' || undefined}>
      <Link to="/destinations/$destination" params={{ destination: id }} className={styles.name}>
        <UserText>{name}</UserText>
      </Link>
      <span className={styles.channel}>
        <UserText>{describeReceiver(destination)}</UserText>
      </span>
      <div className={styles.health}>
        {state === 'suspended' && (
          <span className={page.badge} data-danger>
            suspended
          </span>
        )}
        <Health destination={destination} />
      </div>
      <span className={styles.faint}>{TYPES[type].shortLabel}</span>
    </li>
  );
}

function Health({
  destination: { state, stateReason, failingSince, deliveries },
}: {
  readonly destination: ListedDestination;
}) {
  const last = deliveries.edges[0]?.node;
  if (state === 'suspended') return <p className={styles.bad}>{describeStop(stateReason)}</p>;
  if (!last) return <p className={styles.faint}>Nothing sent yet</p>;
  const isBad = failingSince !== null || 'isBad' in STATES[last.status];
  return (
    <p className={isBad ? styles.bad : styles.faint}>
      Last message {STATES[last.status].ofLast}
      {last.nextAttemptAt ? (
        <>
          . Next attempt <When at={last.nextAttemptAt} as="upcoming" />
        </>
      ) : (
        <>
          {' '}
          · <When at={last.createdAt} />
        </>
      )}
    </p>
  );
}
