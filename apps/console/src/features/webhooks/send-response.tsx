import type { SentMessage } from '../../data/destinations.ts';
import type { ListedDelivery } from '../../data/webhooks.ts';
import { ActionError } from '../../ui/action-error.tsx';
import objects from '../../ui/objects.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { describeAttempt, isSentUnderAppName } from './delivery-descriptions.ts';

export interface SendingOutcome {
  readonly delivery: ListedDelivery | SentMessage | null;
  readonly error: unknown;
}

/** Shows the response of the receiver to a message that the user has just sent. */
export function SendResponse({ outcome, channel }: { readonly outcome: SendingOutcome; readonly channel: string }) {
  const { delivery, error } = outcome;
  if (!delivery) return <ActionError error={error} />;
  const lastAttempt = delivery.attempts.at(-1);
  const answer = lastAttempt && <span className={objects.faint}>{describeAttempt(lastAttempt)}</span>;
  if (delivery.status !== 'delivered') {
    return (
      <div className={objects.problem} role="alert">
        <p>
          <b>The message was not delivered.</b> <UserText>{delivery.hint}</UserText>
        </p>
        {answer}
      </div>
    );
  }
  return (
    <div className={objects.done} role="status">
      <p>
        <b>Delivered</b> to <UserText>{channel}</UserText>.
        {isSentUnderAppName(delivery.attempts) &&
          ' It was posted under the app’s name. To use another name, give the app the scope chat:write.customize.'}
      </p>
      {answer}
    </div>
  );
}
