import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  deleteWebhook,
  redeliver,
  resumeWebhook,
  testWebhook,
  type WebhookDetails,
  webhookKeys,
  webhookQuery,
} from '../../data/webhooks.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { useNow } from '../../ui/use-now.ts';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { Deliveries } from './deliveries.tsx';
import { describeFailures, describeSuspension, STATES } from './delivery-descriptions.ts';
import { describeEvents } from './event-types.ts';
import { type SendingOutcome, SendResponse } from './send-response.tsx';

const route = getRouteApi('/inside/webhooks/$webhook');

/** Shows one webhook: the state of its deliveries, and actions to correct problems. */
export function WebhookPage() {
  const { webhook: id } = route.useParams();
  return (
    <Loaded query={useQuery(webhookQuery(id))} missing={<Gone />}>
      {(webhook) => <Shown key={id} webhook={webhook} />}
    </Loaded>
  );
}

function Shown({ webhook }: { readonly webhook: WebhookDetails }) {
  const { id } = webhook;
  const mayManage = useAbility('manage_webhooks');
  const { sending, outcome, send } = useSending(id);
  const [wasResumed, setResumed] = useState(false);
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="webhook">
        <div className={page.head}>
          <div className={objects.title}>
            <h2 id="webhook">
              <UserText>{webhook.name}</UserText>
            </h2>
            <span className={page.badge} data-danger={webhook.state === 'suspended' || undefined}>
              {webhook.state}
            </span>
          </div>
          {mayManage && <Verbs webhook={webhook} sending={sending} test={() => send({ deliveryId: null })} />}
        </div>
        {webhook.state === 'suspended' && (
          <Suspended webhook={webhook} mayManage={mayManage} isAgain={wasResumed} onResume={() => setResumed(true)} />
        )}
        {webhook.state !== 'suspended' && wasResumed && (
          <p role="status" className={objects.done}>
            Resumed. Waiting messages are being sent.
          </p>
        )}
        {outcome && <SendResponse outcome={outcome} channel={webhook.configuration.channel} />}
        <Cards webhook={webhook} />
        <Facts
          facts={{
            Channel: <UserText>{webhook.configuration.channel}</UserText>,
            'Posts as': <UserText>{webhook.configuration.username}</UserText>,
            Created: <When at={webhook.createdAt} />,
          }}
        />
      </section>
      <Deliveries
        id={id}
        sending={sending}
        {...(mayManage && { redeliver: (deliveryId: string) => send({ deliveryId }) })}
      />
    </div>
  );
}

/** Shows the state of the webhook at a glance. */
function Cards({ webhook: { eventTypes, modifiedAt, recent } }: { readonly webhook: WebhookDetails }) {
  const now = useNow();
  const deliveries = recent.edges.map(({ node }) => node);
  const [lastDelivery] = deliveries;
  return (
    <Facts
      as="cards"
      facts={{
        'Last message': lastDelivery ? (
          <>
            {STATES[lastDelivery.status].label}{' '}
            {'isOpen' in STATES[lastDelivery.status] ? (
              <>
                since <When at={lastDelivery.createdAt} as="date" />
              </>
            ) : (
              <When at={lastDelivery.createdAt} />
            )}
          </>
        ) : (
          'None'
        ),
        'Not delivered in 24 hours': describeFailures(deliveries, now),
        Events: describeEvents(eventTypes),
        Scope: 'All projects and environments',
        'Last change': modifiedAt === null ? null : <When at={modifiedAt} />,
      }}
    />
  );
}

interface Sending {
  /** The id of the delivery that is sent again; null for a test message. */
  readonly deliveryId: string | null;
}

/** Sends one message at a time. */
function useSending(webhookId: string) {
  const client = useQueryClient();
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: ({ deliveryId }: Sending) =>
      deliveryId === null ? testWebhook(webhookId) : redeliver(webhookId, deliveryId),
    onSettled: () => void client.invalidateQueries({ queryKey: webhookKeys.all }),
  });
  const outcome: SendingOutcome | null = data || error ? { delivery: data ?? null, error } : null;
  return { sending: isPending ? variables : null, outcome, send: mutate };
}

interface VerbsProps {
  readonly webhook: WebhookDetails;
  readonly sending: Sending | null;
  test(): void;
}

function Verbs({ webhook, sending, test }: VerbsProps) {
  const { id } = webhook;
  const [toDelete, setToDelete] = useState<WebhookDetails | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async (seenWebhook: WebhookDetails) => {
    await deleteWebhook(seenWebhook);
    await navigate({ to: '/webhooks' });
    client.removeQueries({ queryKey: webhookKeys.details(id) });
  };
  return (
    <div className={page.buttons}>
      <button type="button" className={button.main} disabled={sending !== null} onClick={test}>
        {sending?.deliveryId === null ? 'Sending …' : 'Send test message'}
      </button>
      <Link to="/webhooks/$webhook/change" params={{ webhook: id }} className={button.plain}>
        Change
      </Link>
      <button type="button" className={button.danger} onClick={() => setToDelete(webhook)}>
        Delete
      </button>
      {toDelete && (
        <ConfirmDialog
          title={`Delete the webhook ${toDelete.name}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kinds={[webhookKeys.all]}
          confirm={() => remove(toDelete)}
          onClose={() => setToDelete(null)}
        >
          <p>Its channel receives no more messages. Its token and its deliveries are deleted.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface SuspendedProps {
  readonly webhook: WebhookDetails;
  readonly mayManage: boolean;
  /** Whether the chat service rejected a message again after the user resumed the webhook here. */
  readonly isAgain: boolean;
  onResume(): void;
}

function Suspended({ webhook, mayManage, isAgain, onResume }: SuspendedProps) {
  const { id, stateReason, deliveries } = webhook;
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => resumeWebhook(id),
    onMutate: onResume,
    onSettled: () => client.invalidateQueries({ queryKey: webhookKeys.all }),
  });
  return (
    <div className={objects.problem} role="status">
      <p>
        {isAgain && !isPending && 'It was resumed and rejected again. '}
        <b>{describeSuspension(stateReason)}</b> {deliveries.edges[0]?.node.hint}
      </p>
      <p>Its messages are kept and sent in order when you resume it. A new token or channel resumes it too.</p>
      {mayManage && (
        <div className={page.buttons}>
          <button type="button" className={button.plain} disabled={isPending} onClick={() => mutate()}>
            {isPending ? 'Resuming …' : 'Resume'}
          </button>
          <Link to="/webhooks/$webhook/change" params={{ webhook: id }} className={button.quiet}>
            Change token or channel
          </Link>
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
        There is no such webhook. It may have been deleted.{' '}
        <Link to="/webhooks" className={page.link}>
          All webhooks
        </Link>
      </p>
    </div>
  );
}
