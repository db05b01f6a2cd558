import { Link } from '@tanstack/react-router';
import type { ListedWebhook } from '../../data/webhooks.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { isFailing, sortByUrgency, WebhookHealth } from './health.tsx';
import styles from './webhooks.module.css';

/** Lists the webhooks whose messages are not delivered. Shows nothing if there are none. */
export function FailingWebhooks({ webhooks }: { readonly webhooks: readonly ListedWebhook[] }) {
  const failingWebhooks = sortByUrgency(webhooks.filter(isFailing));
  if (failingWebhooks.length === 0) return null;
  return (
    <section aria-labelledby="failing-webhooks">
      <h2 id="failing-webhooks">Failing webhooks</h2>
      <ul className={styles.failing}>
        {failingWebhooks.map((webhook) => (
          <li key={webhook.id}>
            <Link to="/webhooks/$webhook" params={{ webhook: webhook.id }} className={page.link}>
              <UserText>{webhook.name}</UserText>
            </Link>
            <WebhookHealth webhook={webhook} />
          </li>
        ))}
      </ul>
    </section>
  );
}
