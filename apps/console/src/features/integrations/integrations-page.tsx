import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAbility } from '../../data/abilities.ts';
import { integrationQuery, integrationsQuery, type ListedIntegration } from '../../data/integrations.ts';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { CONNECTION, PROVIDERS } from './integration-words.ts';
import { isFailing, SyncHealth, sortByUrgency, urgentRun, waitsForPerson } from './sync-health.tsx';

/** The interval at which each line refetches its runs. The list has up to 50 lines, so a shorter one loads the core. */
const LINE_REFETCH_INTERVAL_MS = 60_000;

/** Lists the integrations with their connection and their most urgent run. */
export function IntegrationsPage() {
  const integrations = useQuery(integrationsQuery);
  const mayManage = useAbility('manage_integrations');
  const broken = (integrations.data ?? []).filter(({ status }) => status === 'errored').length;
  return (
    <div className={page.page}>
      <ListPage
        label="Integrations"
        query={integrations}
        about={
          <>
            {broken > 0 && <b className={objects.bad}>{broken} not connected. </b>}
            Each integration connects Strata with an account or a vault. Pushes write values there, and external values
            are read from there. <RotationsLink /> replace the credentials in secrets.
          </>
        }
        action={mayManage && <NewIntegration />}
        empty={<NoIntegrations mayManage={mayManage} />}
      >
        {(rows) => (
          <ul className={objects.list}>
            {[...rows]
              .sort((left, right) => Number(left.status !== 'errored') - Number(right.status !== 'errored'))
              .map((integration) => (
                <IntegrationLine key={integration.id} integration={integration} />
              ))}
          </ul>
        )}
      </ListPage>
    </div>
  );
}

function IntegrationLine({ integration }: { readonly integration: ListedIntegration }) {
  const { id, provider, name, status } = integration;
  return (
    <li className={objects.line} data-problem={status === 'errored' || undefined}>
      <Link to="/integrations/$provider/$integration" params={{ provider, integration: id }} className={objects.name}>
        <UserText>{name}</UserText>
      </Link>
      <span className={objects.summary}>
        {PROVIDERS[provider].label} ·{' '}
        <span className={status === 'errored' ? objects.bad : undefined}>{CONNECTION[status]}</span>
      </span>
      <div className={objects.health}>
        <Runs integration={integration} />
      </div>
      <span className={objects.faint}>{integration.writable ? 'Writable' : 'Read-only'}</span>
    </li>
  );
}

/** Shows the most urgent run of an integration: one that fails, else one that waits for approval, else the latest. */
function Runs({ integration }: { readonly integration: ListedIntegration }) {
  const { data } = useQuery({ ...integrationQuery(integration), refetchInterval: LINE_REFETCH_INTERVAL_MS });
  if (integration.status === 'errored') {
    return (
      <p className={objects.bad}>
        <UserText>{integration.statusDetail}</UserText>{' '}
        {integration.statusLastCheckedAt && <When at={integration.statusLastCheckedAt} />}
      </p>
    );
  }
  if (!data) return null;
  const syncs = [...data.pushes.edges, ...data.pulls.edges].map(({ node }) => node);
  const [urgent] = sortByUrgency(syncs);
  const runs = syncs.flatMap(({ latestTask }) => latestTask ?? []);
  const [latest = null] = [...runs].sort((left, right) => right.createdAt.localeCompare(left.createdAt));
  const isUrgent = urgent && (isFailing(urgent) || waitsForPerson(urgent));
  return (
    <>
      <span className={objects.faint}>{formatCount(data.pushes.edges.length, 'push').replace('pushs', 'pushes')}</span>
      <SyncHealth run={isUrgent ? urgentRun(urgent) : latest} />
    </>
  );
}

function NoIntegrations({ mayManage }: { readonly mayManage: boolean }) {
  return (
    <Empty title="No integrations yet">
      <p>
        An integration connects Strata with AWS Secrets Manager, the AWS Parameter Store or Azure Key Vault. A push
        writes the values of projects there. It changes only keys that it wrote itself, and you decide about all others.
      </p>
      <p>An external value is read from there, so that a secret stays in one place.</p>
      <p>
        <RotationsLink /> replace the credentials in secrets.
      </p>
      {mayManage && <NewIntegration />}
    </Empty>
  );
}

function RotationsLink() {
  return (
    <Link to="/rotations" className={page.link}>
      Rotations
    </Link>
  );
}

function NewIntegration() {
  return (
    <Link to="/integrations/new" className={button.main}>
      <Plus size={15} aria-hidden /> Create integration
    </Link>
  );
}
