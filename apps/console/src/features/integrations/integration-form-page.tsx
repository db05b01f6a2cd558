import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  createIntegration,
  type IntegrationDetails,
  type IntegrationId,
  integrationKeys,
  integrationQuery,
  type NewIntegration,
  updateIntegration,
} from '../../data/integrations.ts';
import button from '../../ui/button.module.css';
import { Loaded } from '../../ui/loaded.tsx';
import page from '../../ui/page.module.css';
import { changedFields } from './form-changes.ts';
import { IntegrationForm } from './integration-form.tsx';
import { isProvider } from './integration-words.ts';
import { Missing, NotAllowed } from './missing.tsx';

const changed = getRouteApi('/inside/integrations/$provider/$integration/change');

export function NewIntegrationPage() {
  const finish = useFinish();
  if (!useAbility('manage_integrations')) return <NotAllowed />;
  const submit = async (input: NewIntegration) =>
    finish({ provider: input.provider, id: await createIntegration(input) });
  return (
    <div className={page.page}>
      <IntegrationForm
        verb="Create integration"
        busyVerb="Creating …"
        integration={null}
        submit={submit}
        aside={
          <Link to="/integrations" className={button.quiet}>
            Cancel
          </Link>
        }
      />
    </div>
  );
}

export function ChangeIntegrationPage() {
  const { provider, integration: id } = changed.useParams();
  return isProvider(provider) ? <LoadedForm key={id} provider={provider} id={id} /> : <Missing noun="integration" />;
}

function LoadedForm(id: IntegrationId) {
  // The integration is not refetched, so that the input stays when another user changes the integration.
  const query = useQuery({ ...integrationQuery(id), refetchInterval: false });
  const mayManage = useAbility('manage_integrations');
  return (
    <Loaded query={query} missing={<Missing noun="integration" />}>
      {(integration) => (mayManage ? <ChangeIntegration current={integration} /> : <NotAllowed />)}
    </Loaded>
  );
}

function ChangeIntegration({ current }: { readonly current: IntegrationDetails }) {
  const [initial] = useState(current);
  const { provider, id } = initial;
  const finish = useFinish();
  const submit = async (input: NewIntegration) => {
    const { provider: _, ...change } = changedFields(input, { ...initial });
    if (Object.keys(change).length > 0) await updateIntegration({ provider, id, input: change });
    await finish(initial);
  };
  return (
    <div className={page.page}>
      <IntegrationForm
        verb="Save"
        busyVerb="Saving …"
        integration={initial}
        submit={submit}
        aside={
          <Link
            to="/integrations/$provider/$integration"
            params={{ provider, integration: id }}
            className={button.quiet}
          >
            Cancel
          </Link>
        }
      />
    </div>
  );
}

/** Returns a function that opens the page of the integration in place of the form. */
function useFinish(): (integration: IntegrationId) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async ({ provider, id }) => {
    await client.invalidateQueries({ queryKey: integrationKeys.all });
    await navigate({
      to: '/integrations/$provider/$integration',
      params: { provider, integration: id },
      replace: true,
    });
  };
}
