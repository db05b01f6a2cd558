import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RunStep, type SyncId, type SyncRun, stepsQuery } from '../../data/integrations.ts';
import { ActionError } from '../../ui/action-error.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { describeRunState } from './integration-words.ts';

interface RunsProps {
  readonly direction: 'push' | 'pull';
  readonly sync: SyncId;
  readonly runs: readonly SyncRun[];
}

/** Lists the runs of a pull or a push with their steps, newest first. */
export function Runs({ direction, sync, runs }: RunsProps) {
  return (
    <section className={page.part} aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      {runs.length === 0 && <p className={page.note}>No run yet.</p>}
      <ol className={objects.entries}>
        {runs.map((run) => (
          <RunRow key={run.id} direction={direction} sync={sync} run={run} />
        ))}
      </ol>
    </section>
  );
}

function RunRow({ direction, sync, run }: Omit<RunsProps, 'runs'> & { readonly run: SyncRun }) {
  const [isShown, setShown] = useState(false);
  const { reason, dryRun, errorDetail, createdAt, nextAttemptAt } = run;
  const { label, isBad } = describeRunState(run);
  return (
    <li>
      <span className={page.badge} data-danger={isBad}>
        {label}
      </span>
      <div className={objects.entry}>
        <p>
          <UserText>{reason}</UserText>
        </p>
        <p className={objects.meta}>
          <When at={createdAt} />
          {dryRun && <span>dry run</span>}
          {nextAttemptAt !== null && (
            <span>
              next attempt <When at={nextAttemptAt} as="upcoming" />
            </span>
          )}
        </p>
        {errorDetail !== null && (
          <p className={isBad ? objects.bad : undefined}>
            <UserText>{errorDetail}</UserText>
          </p>
        )}
        <details className={objects.details} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary>Steps</summary>
          {isShown && <Steps direction={direction} sync={sync} run={run} />}
        </details>
      </div>
    </li>
  );
}

function Steps({ direction, sync, run }: Omit<RunsProps, 'runs'> & { readonly run: SyncRun }) {
  const { data, error } = useQuery(stepsQuery(direction, sync, run));
  if (error) return <ActionError error={error} />;
  if (!data) return <p>Loading …</p>;
  if (data.totalCount === 0) return <p>Nothing changed.</p>;
  return (
    <>
      <ol>
        {data.steps.map((step) => (
          <li key={step.id}>
            <Step step={step} />
          </li>
        ))}
      </ol>
      {data.totalCount > data.steps.length && (
        <p>and {(data.totalCount - data.steps.length).toLocaleString()} more, which the API lists</p>
      )}
    </>
  );
}

const OPERATIONS = { create: 'Created', read: 'Read', update: 'Updated', delete: 'Deleted' } as const;

function Step({ step }: { readonly step: RunStep }) {
  const { operation, success, fqn, summary, errorDetail, projectName, environmentName, parameterName } = step;
  const origin = [projectName, environmentName, parameterName].filter((name) => name !== null);
  return (
    <>
      {success ? (summary ?? (operation && OPERATIONS[operation])) : <b className={objects.bad}>Not changed</b>}{' '}
      <code>
        <UserText>{fqn}</UserText>
      </code>
      {origin.length > 0 && (
        <span className={objects.faint}>
          {' '}
          <UserText>{origin.join(' · ')}</UserText>
        </span>
      )}
      {errorDetail !== null && (
        <>
          {' '}
          <UserText>{errorDetail}</UserText>
        </>
      )}
    </>
  );
}
