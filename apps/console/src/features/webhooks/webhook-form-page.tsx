import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import {
  createWebhook,
  updateWebhook,
  type WebhookDetails,
  type WebhookInput,
  webhookKeys,
  webhookQuery,
} from '../../data/webhooks.ts';
import button from '../../ui/button.module.css';
import { Loaded } from '../../ui/loaded.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { describeEvents } from './event-types.ts';
import { SlackApp } from './slack-app.tsx';
import { WebhookForm } from './webhook-form.tsx';
import styles from './webhooks.module.css';

const changed = getRouteApi('/inside/webhooks/$webhook/change');

export function NewWebhookPage() {
  const finish = useFinish();
  if (!useAbility('manage_webhooks')) return <NotYours />;
  return (
    <div className={page.page}>
      <div className={styles.columns}>
        <WebhookForm
          verb="Create webhook"
          busyVerb="Creating …"
          webhook={null}
          submit={async (input) => finish(await createWebhook(input))}
          aside={
            <Link to="/webhooks" className={button.quiet}>
              Cancel
            </Link>
          }
        />
        <SlackApp />
      </div>
    </div>
  );
}

export function ChangeWebhookPage() {
  const { webhook: id } = changed.useParams();
  // The webhook is not refetched, so that the input stays when another user changes the webhook.
  const query = useQuery({ ...webhookQuery(id), refetchInterval: false });
  const mayManage = useAbility('manage_webhooks');
  return (
    <Loaded query={query} missing={<NotYours />}>
      {(webhook) => (mayManage ? <ChangeWebhook key={id} current={webhook} /> : <NotYours />)}
    </Loaded>
  );
}

function ChangeWebhook({ current }: { readonly current: WebhookDetails }) {
  const { id } = current;
  const [initialWebhook] = useState(current);
  const [seenWebhook, setSeenWebhook] = useState(loadedWebhook(current));
  const client = useQueryClient();
  const finish = useFinish();
  const submit = async (input: WebhookInput) => {
    const { name, eventTypes, configuration } = input;
    const { token, channel, username } = configuration;
    // If the field is empty, the stored token does not change.
    const inputTexts = fieldTexts({
      name,
      eventTypes: eventTypes ?? [],
      configuration: { ...configuration, token: token === '' ? seenWebhook.fields.token : token },
    });
    await saveChangedFields(seenWebhook, {
      typed: inputTexts,
      write: (changedFields, expectedLedgerId) => {
        const formLocation = {
          ...(changedFields.includes('token') && { token }),
          ...(changedFields.includes('channel') && { channel }),
          ...(changedFields.includes('username') && { username }),
        };
        return updateWebhook({
          id,
          input: {
            ...(changedFields.includes('name') && { name }),
            ...(changedFields.includes('event_types') && { eventTypes }),
            ...(Object.keys(formLocation).length > 0 && { configuration: formLocation }),
          },
          expectedLedgerId,
        });
      },
      read: async () => {
        const now = await fetchUncached(client, webhookQuery(id));
        return now && loadedWebhook(now);
      },
      onSeen: setSeenWebhook,
    });
    await finish(id);
  };
  return (
    <div className={page.page}>
      <div className={styles.columns}>
        <WebhookForm
          verb="Save"
          busyVerb="Saving …"
          webhook={initialWebhook}
          submit={submit}
          aside={
            <Link to="/webhooks/$webhook" params={{ webhook: id }} className={button.quiet}>
              Cancel
            </Link>
          }
        />
        <SlackApp />
      </div>
    </div>
  );
}

/** Returns the values by field name. The token is masked. */
const fieldTexts = ({
  name,
  eventTypes,
  configuration,
}: Pick<WebhookDetails, 'name' | 'eventTypes' | 'configuration'>) => ({
  name,
  event_types: describeEvents(eventTypes),
  channel: configuration.channel,
  username: configuration.username,
  token: configuration.token,
});

const loadedWebhook = (webhook: WebhookDetails) => ({ ledgerId: webhook.ledgerId, fields: fieldTexts(webhook) });

/** Returns a function that opens the page of the webhook in place of the form. */
function useFinish(): (id: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (id) => {
    await client.invalidateQueries({ queryKey: webhookKeys.all });
    // Replaces the history entry, so that the back button does not return to the submitted form.
    await navigate({ to: '/webhooks/$webhook', params: { webhook: id }, replace: true });
  };
}

function NotYours() {
  return (
    <PageNote>
      This form creates and changes webhooks.{' '}
      <Link to="/webhooks" className={page.link}>
        All webhooks
      </Link>
    </PageNote>
  );
}
