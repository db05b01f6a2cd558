import type { ListedWebhook } from '../../data/webhooks.ts';
import objects from '../../ui/objects.module.css';
import { When } from '../../ui/when.tsx';
import { describeSuspension, STATES } from './delivery-descriptions.ts';

/** Sorts webhooks by urgency: suspended ones first, then those whose last message failed. */
export function sortByUrgency(webhooks: readonly ListedWebhook[]): readonly ListedWebhook[] {
  const urgency = (webhook: ListedWebhook) => (webhook.state === 'suspended' ? 0 : isTroubled(webhook) ? 1 : 2);
  return [...webhooks].sort((a, b) => urgency(a) - urgency(b));
}

/** Returns whether the messages of a webhook are not delivered. */
export const isFailing = (webhook: ListedWebhook): boolean => webhook.state === 'suspended' || isTroubled(webhook);

const lastOf = ({ deliveries }: ListedWebhook) => deliveries.edges[0]?.node;

function isTroubled(webhook: ListedWebhook): boolean {
  const lastDelivery = lastOf(webhook);
  return lastDelivery !== undefined && 'isBad' in STATES[lastDelivery.status];
}

/** Describes in one sentence whether messages are delivered. */
export function WebhookHealth({ webhook }: { readonly webhook: ListedWebhook }) {
  const lastDelivery = lastOf(webhook);
  if (webhook.state === 'suspended') {
    return <p className={objects.bad}>{describeSuspension(webhook.stateReason)}</p>;
  }
  if (!lastDelivery) return <p className={objects.faint}>Nothing sent yet</p>;
  const next = lastDelivery.status === 'retrying' ? lastDelivery.attempts.at(-1)?.retryAt : null;
  return (
    <p className={isTroubled(webhook) ? objects.bad : objects.faint}>
      Last message {STATES[lastDelivery.status].ofLast}
      {next ? (
        <>
          . Retrying <When at={next} as="upcoming" />
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
