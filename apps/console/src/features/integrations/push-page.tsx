import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  deletePush,
  integrationKeys,
  type PushDetails,
  pushQuery,
  runPush,
  type SyncId,
} from '../../data/integrations.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { describeRunState, describeStore, describeTag, isOpen, isProvider } from './integration-words.ts';
import { Missing } from './missing.tsx';
import { type Decisions, decisionList } from './push-decisions.ts';
import { PushKeys } from './push-keys.tsx';
import { PushPlan } from './push-plan.tsx';
import { PolicyDialog } from './push-policy.tsx';
import { Runs } from './runs.tsx';

const route = getRouteApi('/inside/integrations/$provider/$integration/pushes/$push');

/** Shows one push: its plan, its keys with their states, its runs, and the actions to steer it. */
export function PushPage() {
  const { provider, integration: integrationId, push: id } = route.useParams();
  if (!isProvider(provider)) return <Missing noun="push" />;
  return <OnePush key={id} provider={provider} integrationId={integrationId} id={id} />;
}

function OnePush(sync: SyncId) {
  return (
    <Loaded query={useQuery(pushQuery(sync))} missing={<Missing noun="push" />}>
      {(push) => <Shown sync={sync} push={push} />}
    </Loaded>
  );
}

interface PushProps {
  readonly sync: SyncId;
  readonly push: PushDetails;
}

function Shown({ sync, push }: PushProps) {
  const mayManage = useAbility('manage_integrations');
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const { run, error, isStarting, started } = useRun(sync, () => setDecisions(new Map()));
  const { name, latestTask } = push;
  const isBusy = isStarting || (latestTask !== null && isOpen(latestTask));
  const state = latestTask && describeRunState(latestTask);
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="push">
        <div className={page.head}>
          <div className={objects.title}>
            <h2 id="push">
              <UserText>{name}</UserText>
            </h2>
            {state && (
              <span className={page.badge} data-danger={state.isBad}>
                {state.label}
              </span>
            )}
          </div>
          {mayManage && (
            <Actions
              sync={sync}
              push={push}
              isBusy={isBusy}
              run={(isDryRun) => run(isDryRun ? { dryRun: true } : {})}
            />
          )}
        </div>
        <LatestRun push={push} />
        {error !== null && <ActionError error={error} />}
        <PushPlan
          push={push}
          decisionCount={decisions.size}
          started={started}
          {...(mayManage &&
            !isBusy && { approve: (planHash: string) => run({ planHash, ...decisionList(decisions) }) })}
        />
        <PushFacts push={push} />
      </section>
      <PushKeys
        sync={sync}
        decisions={decisions}
        decide={setDecisions}
        {...(mayManage && { run: () => run(decisionList(decisions)), isBusy })}
      />
      <Runs direction="push" sync={sync} runs={push.tasks.edges.map(({ node }) => node)} />
    </div>
  );
}

/** Starts runs, one at a time. */
function useRun(sync: SyncId, onStarted: () => void) {
  const client = useQueryClient();
  const { mutate, error, isPending, variables, isSuccess } = useMutation({
    mutationFn: (input: Parameters<typeof runPush>[1]) => runPush(sync, input),
    onSuccess: onStarted,
    onSettled: () => client.invalidateQueries({ queryKey: integrationKeys.all }),
  });
  const started = isSuccess ? (variables.dryRun === true ? ('plan' as const) : ('run' as const)) : null;
  return { run: mutate, error, isStarting: isPending, started };
}

/** Shows the error of the latest run, and when it runs again. */
function LatestRun({ push: { latestTask, plan } }: Pick<PushProps, 'push'>) {
  if (latestTask === null || latestTask.errorDetail === null || plan?.waitsForApproval) return null;
  const { errorDetail, nextAttemptAt } = latestTask;
  return (
    <div className={describeRunState(latestTask).isBad ? objects.problem : objects.waiting} role="status">
      <p>
        <UserText>{errorDetail}</UserText>
      </p>
      {nextAttemptAt !== null && (
        <p>
          Next attempt <When at={nextAttemptAt} as="upcoming" />
        </p>
      )}
    </div>
  );
}

interface ActionsProps extends PushProps {
  readonly isBusy: boolean;
  run(isDryRun: boolean): void;
}

function Actions({ sync, push, isBusy, run }: ActionsProps) {
  const [open, setOpen] = useState<'policy' | 'delete' | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { provider, integrationId, id } = sync;
  const close = () => setOpen(null);
  const remove = async () => {
    await deletePush(sync);
    await navigate({ to: '/integrations/$provider/$integration', params: { provider, integration: integrationId } });
    client.removeQueries({ queryKey: integrationKeys.push(sync) });
  };
  return (
    <div className={page.buttons}>
      <button
        type="button"
        className={push.plan?.waitsForApproval ? button.plain : button.main}
        disabled={isBusy}
        onClick={() => run(false)}
      >
        {isBusy ? 'Running …' : 'Run now'}
      </button>
      <button type="button" className={button.plain} disabled={isBusy} onClick={() => run(true)}>
        Plan
      </button>
      <button type="button" className={button.plain} onClick={() => setOpen('policy')}>
        Policy
      </button>
      <Link
        to="/integrations/$provider/$integration/pushes/$push/change"
        params={{ provider, integration: integrationId, push: id }}
        className={button.plain}
      >
        Change
      </Link>
      <button type="button" className={button.danger} onClick={() => setOpen('delete')}>
        Delete
      </button>
      {open === 'policy' && <PolicyDialog sync={sync} policy={push.policy} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the push ${push.name}?`}
          verb="Delete"
          busyVerb="Deleting …"
          kinds={[integrationKeys.all]}
          confirm={remove}
          onClose={close}
        >
          <p>Its keys stay in the store, and no push owns them any more. A new push finds them foreign.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

const DRIFT = { report: 'Are reported', overwrite: 'Are overwritten', import: 'Are imported' } as const;

function PushFacts({ push }: Pick<PushProps, 'push'>) {
  const { integration, resource, projects, tags, includeParameters, includeSecrets, local, policy } = push;
  const contents = [includeParameters && 'parameters', includeSecrets && 'secrets'].filter(Boolean).join(' and ');
  return (
    <>
      <Facts
        as="cards"
        facts={{
          'Before unusual steps': policy?.planFirst ? 'Plans and waits for approval' : 'Runs without approval',
          'Drifted keys': DRIFT[push.force ? 'overwrite' : (policy?.drift ?? 'report')],
          Contains: contents === '' ? 'Nothing' : contents.slice(0, 1).toUpperCase() + contents.slice(1),
        }}
      />
      <Facts
        facts={{
          Integration: integration && (
            <Link
              to="/integrations/$provider/$integration"
              params={{ provider: push.provider, integration: integration.id }}
              className={page.link}
            >
              <UserText>{integration.name}</UserText>
            </Link>
          ),
          'Writes to': <UserText>{[describeStore(push), resource].filter(Boolean).join(': ')}</UserText>,
          Projects: <UserText>{projects.map(({ name }) => name).join(', ') || 'None'}</UserText>,
          Tags: (
            <UserText>
              {tags.map(({ name, environment }) => describeTag(name, environment?.name)).join(', ') || 'None'}
            </UserText>
          ),
          'Inherited parameters': local ? 'Left out' : 'Included',
          'All runs': push.dryRun ? 'Only plan' : null,
          Description: push.description === '' ? null : <UserText>{push.description}</UserText>,
          Created: <When at={push.createdAt} />,
        }}
      />
      {integration?.writable === false && (
        <p className={page.note}>This integration may not write. Runs that are no dry runs fail until you change it.</p>
      )}
    </>
  );
}
