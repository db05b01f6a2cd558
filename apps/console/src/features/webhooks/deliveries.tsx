import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { destinationDeliveriesQuery, type SentMessage } from '../../data/destinations.ts';
import { deliveriesQuery, type ListedDelivery } from '../../data/webhooks.ts';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { type DeliveryState, describeAttempt, parseDeliveryState, STATES } from './delivery-descriptions.ts';

const ofWebhook = getRouteApi('/inside/webhooks/$webhook');
const ofDestination = getRouteApi('/inside/destinations/$destination');

interface DeliveriesProps {
  readonly id: string;
  /** The id of the delivery that is being sent again; null if there is none. */
  readonly sending: { readonly deliveryId: string | null } | null;
  /** Sends a delivery again; absent if the user may not. */
  redeliver?(delivery: string): void;
}

/** Lists the messages of a webhook with their results, newest first. */
export function Deliveries({ id, sending, redeliver }: DeliveriesProps) {
  const { state: filteredState, after } = ofWebhook.useSearch();
  const navigate = ofWebhook.useNavigate();
  const state = parseDeliveryState(filteredState);
  const result = useQuery(deliveriesQuery({ id, after: after ?? null, status: state ?? null }));
  return (
    <DeliveryList
      result={result}
      state={state}
      after={after}
      sending={sending}
      choose={(state) => void navigate({ search: (search) => ({ ...search, state: state, after: undefined }) })}
      canRepeat={({ status, events }) => !('isOpen' in STATES[status]) && events > 0}
      {...(redeliver && { redeliver })}
    />
  );
}

/** Lists the messages of a destination with their results, newest first. A message that waits can be sent at once. */
export function DestinationDeliveries({ id, sending, redeliver }: DeliveriesProps) {
  const { state: filteredState, after } = ofDestination.useSearch();
  const navigate = ofDestination.useNavigate();
  const state = parseDeliveryState(filteredState);
  const result = useQuery(destinationDeliveriesQuery({ id, after: after ?? null, status: state ?? null }));
  return (
    <DeliveryList
      result={result}
      state={state}
      after={after}
      sending={sending}
      choose={(state) => void navigate({ search: (search) => ({ ...search, state: state, after: undefined }) })}
      canRepeat={({ status, events }) => status !== 'sending' && status !== 'queued' && events > 0}
      {...(redeliver && { redeliver })}
    />
  );
}

/** A message of a webhook or a destination. */
type ShownDelivery = ListedDelivery | SentMessage;

interface DeliveryPage {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: ShownDelivery }[];
}

interface DeliveryListProps extends Pick<DeliveriesProps, 'sending' | 'redeliver'> {
  readonly result: Pick<UseQueryResult<DeliveryPage | null>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>;
  /** The state by which the list is filtered. */
  readonly state: DeliveryState | undefined;
  readonly after: string | undefined;
  choose(state: string | undefined): void;
  /** Returns whether the user can send a message again. */
  canRepeat(delivery: ShownDelivery): boolean;
}

function DeliveryList({ result, state, after, choose, canRepeat, ...actions }: DeliveryListProps) {
  const { data, error, refetch, isPlaceholderData } = result;
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  const rows = data?.edges.map(({ node }) => node);
  return (
    <section className={page.part} aria-labelledby="deliveries" aria-busy={isPlaceholderData}>
      <div className={page.head}>
        <h2 id="deliveries">
          Deliveries{' '}
          {data && !isPlaceholderData && <span className={objects.faint}>{data.totalCount.toLocaleString()}</span>}
        </h2>
        <StateChoice state={state} choose={choose} />
      </div>
      <p className={page.note}>
        A message contains all events since the message before it. A new parameter with a value is two events.
      </p>
      {!rows && <p className={page.note}>Loading …</p>}
      {rows?.length === 0 && !isPlaceholderData && <Nothing state={state} />}
      {rows && rows.length > 0 && (
        <ol className={objects.entries}>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} canRepeat={canRepeat(delivery)} {...actions} />
          ))}
        </ol>
      )}
      {data && <Pages here={after} next={nextCursor(data.pageInfo)} first="Newest" more="Older" />}
    </section>
  );
}

function StateChoice({ state, choose }: Pick<DeliveryListProps, 'state' | 'choose'>) {
  return (
    <select aria-label="State" value={state ?? ''} onChange={({ target }) => choose(target.value || undefined)}>
      <option value="">All states</option>
      {Object.entries(STATES).map(([name, { label }]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Nothing({ state }: { readonly state: ReturnType<typeof parseDeliveryState> }) {
  return (
    <p className={page.note}>
      {state === undefined
        ? 'No messages yet. Changes are sent from now on. Send a test message to check the connection.'
        : `No messages in this state. ${STATES[state].label}: ${STATES[state].about}`}
    </p>
  );
}

interface DeliveryRowProps extends Pick<DeliveriesProps, 'sending' | 'redeliver'> {
  readonly delivery: ShownDelivery;
  readonly canRepeat: boolean;
}

/** The reasons for messages other than changes. */
const KIND_LABELS: Readonly<Record<SentMessage['kind'], string | null>> = {
  change: null,
  test: null,
  redelivery: 'sent again',
  reminder: 'reminder',
};

function nextAttempt(delivery: ShownDelivery): string | null {
  if ('nextAttemptAt' in delivery) return delivery.nextAttemptAt;
  return delivery.status === 'retrying' ? (delivery.attempts.at(-1)?.retryAt ?? null) : null;
}

function DeliveryRow({ delivery, canRepeat, sending, redeliver }: DeliveryRowProps) {
  const { id, status, text, hint, revision, events, attempts, createdAt } = delivery;
  const { label, about, ...kind } = STATES[status];
  const isBad = 'isBad' in kind;
  const next = nextAttempt(delivery);
  const kindLabel = 'kind' in delivery ? KIND_LABELS[delivery.kind] : null;
  return (
    <li>
      <span className={page.badge} data-danger={isBad || undefined} title={about}>
        {label}
      </span>
      <div className={objects.entry}>
        <p>
          <UserText>{text ?? 'Hidden: it is about objects you don’t have access to.'}</UserText>
        </p>
        <p className={objects.meta}>
          <When at={createdAt} />
          {events === 0 && <span>test</span>}
          {events > 0 && <span>{formatCount(events, 'event')}</span>}
          {kindLabel && <span>{kindLabel}</span>}
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
          <p className={objects.bad}>
            <UserText>{hint}</UserText>
          </p>
        )}
        <Attempts attempts={attempts} />
      </div>
      {redeliver && canRepeat && (
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

function Attempts({ attempts }: Pick<ShownDelivery, 'attempts'>) {
  if (attempts.length === 0) return null;
  return (
    <details className={objects.details}>
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
