import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAbility } from '../../data/abilities.ts';
import { type ListedWebhook, webhooksQuery } from '../../data/webhooks.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { DestinationList } from './destination-list.tsx';
import { sortByUrgency, WebhookHealth } from './health.tsx';

/** Lists the webhooks with the state of their deliveries. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery);
  const mayManage = useAbility('manage_webhooks');
  const suspended = (webhooks.data ?? []).filter(({ state }) => state === 'suspended').length;
  return (
    <div className={page.page}>
      <ListPage
        label="Webhooks"
        query={webhooks}
        about={
          <>
            {suspended > 0 && <b className={objects.bad}>{suspended} suspended. </b>}
            Each webhook reports changes to a chat channel: what changed, who changed it and where. It never includes
            values.
          </>
        }
        action={mayManage && <NewWebhook />}
        empty={<NoWebhooks mayManage={mayManage} />}
      >
        {(rows) => (
          <ul className={objects.list}>
            {sortByUrgency(rows).map((webhook) => (
              <WebhookLine key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )}
      </ListPage>
      <DestinationList />
    </div>
  );
}

function WebhookLine({ webhook }: { readonly webhook: ListedWebhook }) {
  const { id, name, state, eventTypes, configuration } = webhook;
  return (
    <li className={objects.line} data-problem={state === 'suspended' || undefined}>
      <Link to="/webhooks/$webhook" params={{ webhook: id }} className={objects.name}>
        <UserText>{name}</UserText>
      </Link>
      <span className={objects.summary}>{configuration.channel}</span>
      <div className={objects.health}>
        {state === 'suspended' && (
          <span className={page.badge} data-danger>
            suspended
          </span>
        )}
        <WebhookHealth webhook={webhook} />
      </div>
      <span className={objects.faint}>{eventTypes.length === 1 ? '1 event' : `${eventTypes.length} events`}</span>
    </li>
  );
}

function NoWebhooks({ mayManage }: { readonly mayManage: boolean }) {
  return (
    <Empty title="No webhooks yet">
      <p>
        A webhook posts to a Slack channel when someone changes an environment, a project, a parameter or a value: who,
        what and where, with the reason. It never includes values, so the channel can have more readers than Strata.
      </p>
      <p>
        Messages are sent after the change is stored. Strata retries failed messages for 72 hours, in order. A burst of
        changes becomes one message.
      </p>
      {mayManage && <NewWebhook />}
    </Empty>
  );
}

function NewWebhook() {
  return (
    <Link to="/webhooks/new" className={button.main}>
      <Plus size={15} aria-hidden /> Create webhook
    </Link>
  );
}
