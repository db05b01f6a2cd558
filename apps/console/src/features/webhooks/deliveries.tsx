import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { deliveriesQuery, type ListedDelivery } from '../../data/webhooks.ts';
import { counted } from '../../lib/counted.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { describeAttempt, STATES, stateIn } from './delivery-words.ts';
import styles from './webhooks.module.css';

const route = getRouteApi('/inside/webhooks/$webhook');

interface DeliveriesProps {
  readonly id: string;
  /** The id of the delivery that is being sent again; null if there is none. */
  readonly sending: { readonly deliveryId: string | null } | null;
  /** Sends a delivery again; absent if the user may not. */
  redeliver?(delivery: string): void;
}

/** Lists the messages of a webhook with their results, newest first. */
export function Deliveries({ id, sending, redeliver }: DeliveriesProps) {
  const { state: filteredState, after } = route.useSearch();
  const state = stateIn(filteredState);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    deliveriesQuery({ id, after: after ?? null, status: state ?? null }),
  );
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  const rows = data?.edges.map(({ node }) => node);
  return (
    <section className={page.part} aria-labelledby="deliveries" aria-busy={isPlaceholderData}>
      <div className={page.head}>
        <h2 id="deliveries">
          Deliveries{' '}
          {data && !isPlaceholderData && <span className={styles.faint}>{data.totalCount.toLocaleString()}</span>}
        </h2>
        <StateChoice state={state} />
      </div>
      <p className={page.note}>
        A message contains all events since the message before it. A new parameter with a value is two events.
      </p>
      {!rows && <p className={page.note}>Loading …</p>}
      {rows?.length === 0 && !isPlaceholderData && <Nothing state={state} />}
      {rows && rows.length > 0 && (
        <ol className={styles.deliveries}>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} sending={sending} {...(redeliver && { redeliver })} />
          ))}
        </ol>
      )}
      {data && <Pages here={after} next={nextCursor(data.pageInfo)} first="Newest" more="Older" />}
    </section>
  );
}

function StateChoice({ state }: { readonly state: string | undefined }) {
  const navigate = route.useNavigate();
  return (
    <select
      aria-label="State"
      value={state ?? ''}
      onChange={({ target }) =>
        void navigate({ search: (search) => ({ ...search, state: target.value || undefined, after: undefined }) })
      }
    >
      <option value="">All states</option>
      {Object.entries(STATES).map(([name, { label }]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Nothing({ state }: { readonly state: ReturnType<typeof stateIn> }) {
  return (
    <p className={page.note}>
      {state === undefined
        ? 'No messages yet. The webhook sends changes from now on. Send a test message to check the connection.'
        : `No messages in this state. ${STATES[state].label}: ${STATES[state].about}`}
    </p>
  );
}

interface DeliveryRowProps extends Pick<DeliveriesProps, 'sending' | 'redeliver'> {
  readonly delivery: ListedDelivery;
}

function DeliveryRow({ delivery, sending, redeliver }: DeliveryRowProps) {
  const { id, status, text, hint, revision, events, attempts, createdAt } = delivery;
  const { label, about, ...kind } = STATES[status];
  const isBad = 'isBad' in kind;
  const isOver = !('isOpen' in kind);
  const next = status === 'retrying' ? attempts.at(-1)?.retryAt : null;
  return (
    <li>
      <span className={page.badge} data-danger={isBad || undefined} title={about}>
        {label}
      </span>
      <div className={styles.told}>
        <p>
          <UserText>{text ?? 'Hidden: it is about objects you don’t have access to.'}</UserText>
        </p>
        <p className={styles.meta}>
          <When at={createdAt} />
          {events === 0 && <span>test</span>}
          {events > 0 && <span>{counted(events, 'event')}</span>}
          {['retrying', 'queued'].includes(status) && <span>later events wait for this message</span>}
          {revision !== null && (
            <Link to="/history/$revision" params={{ revision: String(revision) }} className={page.link}>
              revision {revision}
            </Link>
          )}
          {next && (
            <span>
              next attempt <When at={next} as="upcoming" />
            </span>
          )}
        </p>
        {isBad && hint && (
          <p className={styles.bad}>
            <UserText>{hint}</UserText>
          </p>
        )}
        <Attempts attempts={attempts} />
      </div>
      {redeliver && isOver && events > 0 && (
        <button
          type="button"
          className={button.quiet}
          disabled={sending !== null}
          onClick={() => redeliver(id)}
          aria-label={withVisibleCharacters(`Send again: ${text ?? label}`)}
        >
          {sending?.deliveryId === id ? 'Sending …' : 'Send again'}
        </button>
      )}
    </li>
  );
}

function Attempts({ attempts }: Pick<ListedDelivery, 'attempts'>) {
  if (attempts.length === 0) return null;
  return (
    <details className={styles.attempts}>
      <summary>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</summary>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <When at={attempt.at} /> <UserText>{describeAttempt(attempt)}</UserText>
          </li>
        ))}
      </ol>
    </details>
  );
}
