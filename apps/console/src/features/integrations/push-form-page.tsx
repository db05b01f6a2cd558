import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  createPush,
  type IntegrationId,
  integrationKeys,
  integrationQuery,
  type NewPush,
  type PushDetails,
  pushQuery,
  type SyncId,
  updatePush,
} from '../../data/integrations.ts';
import button from '../../ui/button.module.css';
import { Loaded } from '../../ui/loaded.tsx';
import page from '../../ui/page.module.css';
import { changedFields } from './form-changes.ts';
import { isProvider } from './integration-words.ts';
import { Missing, NotAllowed } from './missing.tsx';
import { PushForm, type PushIntegration } from './push-form.tsx';

const created = getRouteApi('/inside/integrations/$provider/$integration/pushes/new');
const changed = getRouteApi('/inside/integrations/$provider/$integration/pushes/$push/change');

export function NewPushPage() {
  const { provider, integration: id } = created.useParams();
  return isProvider(provider) ? <LoadedNewPush key={id} provider={provider} id={id} /> : <Missing noun="integration" />;
}

function LoadedNewPush(id: IntegrationId) {
  const query = useQuery({ ...integrationQuery(id), refetchInterval: false });
  const mayManage = useAbility('manage_integrations');
  return (
    <Loaded query={query} missing={<Missing noun="integration" />}>
      {(integration) => (mayManage ? <CreatePushForm integration={integration} /> : <NotAllowed />)}
    </Loaded>
  );
}

function CreatePushForm({ integration }: { readonly integration: PushIntegration }) {
  const [initial] = useState(integration);
  const { provider, id: integrationId } = initial;
  const finish = useFinish();
  return (
    <div className={page.page}>
      <PushForm
        verb="Create push"
        busyVerb="Creating …"
        integration={initial}
        push={null}
        submit={async (input) => finish({ provider, integrationId, id: await createPush(input) })}
        aside={
          <Link
            to="/integrations/$provider/$integration"
            params={{ provider, integration: integrationId }}
            className={button.quiet}
          >
            Cancel
          </Link>
        }
      />
    </div>
  );
}

export function ChangePushPage() {
  const { provider, integration: integrationId, push: id } = changed.useParams();
  if (!isProvider(provider)) return <Missing noun="push" />;
  return <LoadedPush key={id} provider={provider} integrationId={integrationId} id={id} />;
}

function LoadedPush(sync: SyncId) {
  // The push is not refetched, so that the input stays when another user changes the push.
  const query = useQuery({ ...pushQuery(sync), refetchInterval: false });
  const mayManage = useAbility('manage_integrations');
  return (
    <Loaded query={query} missing={<Missing noun="push" />}>
      {(push) => (mayManage ? <ChangePush sync={sync} current={push} /> : <NotAllowed />)}
    </Loaded>
  );
}

function ChangePush({ sync, current }: { readonly sync: SyncId; readonly current: PushDetails }) {
  const [initial] = useState(current);
  const { provider, integrationId, id } = sync;
  const { awsEnabledRegions = null, awsEnabledServices = null } = initial.integration ?? {};
  const finish = useFinish();
  const submit = async ({ provider: _, integrationId: __, ...input }: NewPush) => {
    const change = changedFields(input, { ...initial });
    if (Object.keys(change).length > 0) await updatePush({ ...sync, input: change });
    await finish(sync);
  };
  return (
    <div className={page.page}>
      <PushForm
        verb="Save"
        busyVerb="Saving …"
        integration={{ provider, id: integrationId, awsEnabledRegions, awsEnabledServices }}
        push={initial}
        submit={submit}
        aside={
          <Link
            to="/integrations/$provider/$integration/pushes/$push"
            params={{ provider, integration: integrationId, push: id }}
            className={button.quiet}
          >
            Cancel
          </Link>
        }
      />
    </div>
  );
}

/** Returns a function that opens the page of the push in place of the form. */
function useFinish(): (push: SyncId) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async ({ provider, integrationId, id }) => {
    await client.invalidateQueries({ queryKey: integrationKeys.all });
    await navigate({
      to: '/integrations/$provider/$integration/pushes/$push',
      params: { provider, integration: integrationId, push: id },
      replace: true,
    });
  };
}
