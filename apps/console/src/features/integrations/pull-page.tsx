import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useAbility } from '../../data/abilities.ts';
import { integrationKeys, type PullDetails, pullQuery, runPull, type SyncId } from '../../data/integrations.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { describeStore, isOpen, isProvider } from './integration-words.ts';
import { Missing } from './missing.tsx';
import { Runs } from './runs.tsx';
import { SyncHealth } from './sync-health.tsx';

const route = getRouteApi('/inside/integrations/$provider/$integration/pulls/$pull');

/** Shows one pull with its runs. */
export function PullPage() {
  const { provider, integration: integrationId, pull: id } = route.useParams();
  if (!isProvider(provider)) return <Missing noun="pull" />;
  return <OnePull key={id} provider={provider} integrationId={integrationId} id={id} />;
}

function OnePull(sync: SyncId) {
  return (
    <Loaded query={useQuery(pullQuery(sync))} missing={<Missing noun="pull" />}>
      {(pull) => <Shown sync={sync} pull={pull} />}
    </Loaded>
  );
}

function Shown({ sync, pull }: { readonly sync: SyncId; readonly pull: PullDetails }) {
  const mayManage = useAbility('manage_integrations');
  const { name, mode, latestTask, integration, resource } = pull;
  const isMapped = mode === 'mapped';
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="pull">
        <div className={page.head}>
          <h2 id="pull">
            <UserText>{name}</UserText>
          </h2>
          {mayManage && <RunButtons sync={sync} isBusy={latestTask !== null && isOpen(latestTask)} />}
        </div>
        <p className={page.note}>
          {isMapped
            ? 'It reads the external values of this integration again: every five minutes, and when you run it. A value keeps its last text if it cannot be read.'
            : 'It creates values for the keys of the store that match, when you run it. It changes no value that exists.'}
        </p>
        <div className={objects.health}>
          <SyncHealth run={latestTask} />
        </div>
        <Facts
          facts={{
            Integration: integration && (
              <Link
                to="/integrations/$provider/$integration"
                params={{ provider: sync.provider, integration: integration.id }}
                className={page.link}
              >
                <UserText>{integration.name}</UserText>
              </Link>
            ),
            'Reads from': isMapped ? null : (
              <UserText>{[describeStore(pull), resource].filter(Boolean).join(': ')}</UserText>
            ),
          }}
        />
      </section>
      <Runs direction="pull" sync={sync} runs={pull.tasks.edges.map(({ node }) => node)} />
    </div>
  );
}

function RunButtons({ sync, isBusy }: { readonly sync: SyncId; readonly isBusy: boolean }) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (isDryRun: boolean) => runPull(sync, isDryRun),
    onSettled: () => client.invalidateQueries({ queryKey: integrationKeys.all }),
  });
  const isDisabled = isPending || isBusy;
  return (
    <>
      <div className={page.buttons}>
        <button type="button" className={button.main} disabled={isDisabled} onClick={() => mutate(false)}>
          {isDisabled ? 'Running …' : 'Run now'}
        </button>
        <button type="button" className={button.plain} disabled={isDisabled} onClick={() => mutate(true)}>
          Dry run
        </button>
      </div>
      {error && <ActionError error={error} />}
    </>
  );
}
