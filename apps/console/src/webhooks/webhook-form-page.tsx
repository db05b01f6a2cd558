import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Trouble } from '../app/trouble.tsx';
import { useMay } from '../session/abilities.ts';
import button from '../ui/button.module.css';
import page from '../ui/page.module.css';
import { SlackApp } from './slack-app.tsx';
import { WebhookForm } from './webhook-form.tsx';
import styles from './webhooks.module.css';
import { createWebhook, updateWebhook, webhookQuery } from './webhooks.ts';
import { ReadOnly } from './webhooks-page.tsx';

const changed = getRouteApi('/inside/webhooks/$webhook/change');

export function NewWebhookPage() {
  const finish = useFinish();
  if (!useMay('manage_webhooks')) return <NotYours />;
  return (
    <div className={page.page}>
      <div className={styles.columns}>
        <WebhookForm
          verb="Create webhook"
          busyVerb="Creating …"
          given={null}
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
  // What is being typed stays when somebody else changes it meanwhile.
  const { data: webhook, error, refetch } = useQuery({ ...webhookQuery(id), refetchInterval: false });
  const finish = useFinish();
  const mayManage = useMay('manage_webhooks');
  if (error) return <Trouble error={error} reset={() => void refetch()} />;
  if (webhook === undefined) return <p className={styles.reading}>Reading …</p>;
  if (webhook === null || !mayManage) return <NotYours />;
  return (
    <div className={page.page}>
      <div className={styles.columns}>
        <WebhookForm
          verb="Save"
          busyVerb="Saving …"
          given={webhook}
          submit={async (input) => {
            await updateWebhook(id, input);
            await finish(id);
          }}
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

/** The page of the webhook, with the form and what was typed into it gone. */
function useFinish(): (id: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (id) => {
    await client.invalidateQueries({ queryKey: ['webhook'] });
    await navigate({ to: '/webhooks/$webhook', params: { webhook: id } });
  };
}

function NotYours() {
  return (
    <div className={page.page}>
      <ReadOnly />
      <Link to="/webhooks" className={page.link}>
        All webhooks
      </Link>
    </div>
  );
}
