import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  deleteIntegration,
  type IntegrationDetails,
  type IntegrationId,
  integrationKeys,
  integrationQuery,
  type ListedPull,
  type ListedPush,
  testIntegration,
} from '../../data/integrations.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import {
  CONNECTION,
  describeAccount,
  describeStore,
  isProvider,
  isService,
  PROVIDERS,
  SERVICES,
} from './integration-words.ts';
import { Missing } from './missing.tsx';
import { isFailing, SyncHealth, sortByUrgency, urgentRun } from './sync-health.tsx';

const route = getRouteApi('/inside/integrations/$provider/$integration');

/** Shows one integration: its connection, its pushes and its pulls. */
export function IntegrationPage() {
  const { provider, integration: id } = route.useParams();
  if (!isProvider(provider)) return <Missing noun="integration" />;
  return <OneIntegration key={id} provider={provider} id={id} />;
}

function OneIntegration(id: IntegrationId) {
  return (
    <Loaded query={useQuery(integrationQuery(id))} missing={<Missing noun="integration" />}>
      {(integration) => (
        <div className={page.page}>
          <Head integration={integration} />
          <Pushes integration={integration} />
          <Pulls integration={integration} />
        </div>
      )}
    </Loaded>
  );
}

interface IntegrationProps {
  readonly integration: IntegrationDetails;
}

function Head({ integration }: IntegrationProps) {
  const { name, provider, description, status, statusDetail, statusLastCheckedAt, writable } = integration;
  const mayManage = useAbility('manage_integrations');
  const test = useTest(integration);
  return (
    <section className={page.part} aria-labelledby="integration">
      <div className={page.head}>
        <div className={objects.title}>
          <h2 id="integration">
            <UserText>{name}</UserText>
          </h2>
          <span className={page.badge} data-danger={status === 'errored' || undefined}>
            {CONNECTION[status]}
          </span>
        </div>
        {mayManage && <Actions integration={integration} test={test} />}
      </div>
      {description !== '' && (
        <p className={page.note}>
          <UserText>{description}</UserText>
        </p>
      )}
      {test.error !== null && <ActionError error={test.error} />}
      {test.isSuccess && status === 'connected' && (
        <p role="status" className={objects.done}>
          The connection works.
        </p>
      )}
      {status === 'errored' && (
        <div className={objects.problem} role="status">
          <p>
            <b>The connection does not work.</b> <UserText>{statusDetail}</UserText>
          </p>
        </div>
      )}
      <Facts
        as="cards"
        facts={{
          Type: PROVIDERS[provider].label,
          Pushes: writable ? 'May write' : 'May not write',
          'Last checked': statusLastCheckedAt === null ? 'Never' : <When at={statusLastCheckedAt} />,
        }}
      />
      <Facts facts={describeSettings(integration)} />
    </section>
  );
}

function describeSettings(integration: IntegrationDetails): Record<string, ReactNode> {
  const { provider, awsExternalId, awsKmsKeyId, awsEnabledRegions, awsEnabledServices, createdAt, modifiedAt } =
    integration;
  const services = (awsEnabledServices ?? []).filter(isService).map((service) => SERVICES[service]);
  return {
    Account: <UserText>{describeAccount(integration)}</UserText>,
    ...(provider === 'aws' && {
      'External id': (
        <>
          <code>{awsExternalId}</code> <CopyButton text={awsExternalId ?? ''} label="Copy external id" isIcon />
          <br />
          <span className={objects.faint}>The trust policy of the role must require it.</span>
        </>
      ),
      Regions: awsEnabledRegions?.join(', ') || 'None',
      Services: services.join(', ') || 'None',
      'Encryption key': awsKmsKeyId && <UserText>{awsKmsKeyId}</UserText>,
    }),
    Created: <When at={createdAt} />,
    'Last change': modifiedAt === null ? null : <When at={modifiedAt} />,
  };
}

/** Tests the connection, and shows the result as the status of the integration. */
function useTest({ provider, id }: IntegrationId) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => testIntegration({ provider, id }),
    onSettled: () => client.invalidateQueries({ queryKey: integrationKeys.all }),
  });
}

interface ActionsProps extends IntegrationProps {
  readonly test: ReturnType<typeof useTest>;
}

function Actions({ integration, test }: ActionsProps) {
  const { provider, id, name } = integration;
  const [toDelete, setToDelete] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await deleteIntegration({ provider, id, inUse: 'fail' });
    await navigate({ to: '/integrations' });
    client.removeQueries({ queryKey: integrationKeys.details({ provider, id }) });
  };
  return (
    <div className={page.buttons}>
      <button type="button" className={button.plain} disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? 'Testing …' : 'Test connection'}
      </button>
      <Link
        to="/integrations/$provider/$integration/change"
        params={{ provider, integration: id }}
        className={button.plain}
      >
        Change
      </Link>
      <button type="button" className={button.danger} onClick={() => setToDelete(true)}>
        Delete
      </button>
      {toDelete && (
        <ConfirmDialog
          title={`Delete the integration ${name}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kinds={[integrationKeys.all]}
          confirm={remove}
          onClose={() => setToDelete(false)}
        >
          <p>An integration that pushes or external values use cannot be deleted. Nothing changes at the provider.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Pushes({ integration }: IntegrationProps) {
  const { provider, id, pushes } = integration;
  const mayManage = useAbility('manage_integrations');
  const rows = sortByUrgency(pushes.edges.map(({ node }) => node));
  return (
    <section className={page.part} aria-labelledby="pushes">
      <div className={page.head}>
        <h2 id="pushes">Pushes</h2>
        {mayManage && (
          <Link
            to="/integrations/$provider/$integration/pushes/new"
            params={{ provider, integration: id }}
            className={rows.length === 0 ? button.main : button.plain}
          >
            <Plus size={15} aria-hidden /> Create push
          </Link>
        )}
      </div>
      {rows.length === 0 && (
        <p className={page.note}>
          No pushes yet. A push writes the values of projects at a tag. It plans first and writes after you approve.
        </p>
      )}
      <ul className={objects.list}>
        {rows.map((push) => (
          <SyncLine key={push.id} sync={push}>
            <Link
              to="/integrations/$provider/$integration/pushes/$push"
              params={{ provider, integration: id, push: push.id }}
              className={objects.name}
            >
              <UserText>{push.name}</UserText>
            </Link>
            <span className={objects.summary}>
              <UserText>{[describeStore(push), push.resource].filter(Boolean).join(': ')}</UserText>
            </span>
          </SyncLine>
        ))}
      </ul>
    </section>
  );
}

function Pulls({ integration }: IntegrationProps) {
  const { provider, id, pulls } = integration;
  const rows = sortByUrgency(pulls.edges.map(({ node }) => node));
  return (
    <section className={page.part} aria-labelledby="pulls">
      <h2 id="pulls">Pulls</h2>
      <p className={page.note}>
        The mapped pull reads the external values of this integration again every five minutes.
      </p>
      <ul className={objects.list}>
        {rows.map((pull) => (
          <SyncLine key={pull.id} sync={pull}>
            <Link
              to="/integrations/$provider/$integration/pulls/$pull"
              params={{ provider, integration: id, pull: pull.id }}
              className={objects.name}
            >
              <UserText>{pull.name}</UserText>
            </Link>
            <span className={objects.summary}>{pull.mode === 'mapped' ? 'External values' : 'Pattern'}</span>
          </SyncLine>
        ))}
      </ul>
    </section>
  );
}

interface SyncLineProps {
  readonly sync: ListedPush | ListedPull;
  readonly children: ReactNode;
}

/** A pull or a push in a list, with the state of its latest run. */
function SyncLine({ sync, children }: SyncLineProps) {
  return (
    <li className={objects.line} data-problem={isFailing(sync) || undefined}>
      {children}
      <div className={objects.health}>
        <SyncHealth run={urgentRun(sync)} />
      </div>
      <span />
    </li>
  );
}
