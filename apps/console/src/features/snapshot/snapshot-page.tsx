import type { ImportItem, ImportResult, Platform } from '@strata/import';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { type ChosenFile, FileInput } from '../../kit/env-file/file-input.tsx';
import progress from '../../kit/env-file/first-run-page.module.css';
import { Refused } from '../../lib/refused.ts';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { SnapshotPlan } from './snapshot-plan.tsx';
import { SnapshotResult } from './snapshot-result.tsx';

/** Imports the snapshot of another organization or service, after a plan. */
export function SnapshotPage() {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return null;
  if (!new Set<string>(viewer.abilities.abilities).has('write_content')) {
    return <PageNote>Read-only. Contributors, admins and owners import snapshots.</PageNote>;
  }
  return <SnapshotImport />;
}

/** The file contains secrets, so it is only in the memory of this page. */
type Step =
  | { readonly kind: 'choose'; readonly error?: unknown }
  | { readonly kind: 'reading' }
  | { readonly kind: 'planned'; readonly platform: Platform; readonly items: readonly ImportItem[] }
  | { readonly kind: 'applying'; readonly part: string; readonly done: number; readonly total: number }
  | { readonly kind: 'applied'; readonly platform: Platform; readonly result: ImportResult }
  | { readonly kind: 'failed'; readonly platform: Platform; readonly error: unknown };

function SnapshotImport() {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const isBusy = step.kind === 'applying';
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isBusy && current.pathname !== next.pathname,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  });
  const plan = async (platform: Platform) => {
    setStep({ kind: 'reading' });
    try {
      const { planSnapshot } = await import('./snapshot-import.ts');
      setStep({ kind: 'planned', platform, items: await planSnapshot(platform) });
    } catch (error) {
      setStep({ kind: 'failed', platform, error });
    }
  };
  const take = async ([file]: readonly ChosenFile[]) => {
    if (!file) return;
    setStep({ kind: 'reading' });
    try {
      const { readSnapshot } = await import('./snapshot-import.ts');
      const { platform, problem } = readSnapshot(file.text);
      if (platform === undefined) throw new Refused('not_a_snapshot', problem, null);
      await plan(platform);
    } catch (error) {
      setStep({ kind: 'choose', error });
    }
  };
  const apply = async (platform: Platform, items: readonly ImportItem[]) => {
    let done = 0;
    const show = (part: string) => setStep({ kind: 'applying', part, done, total: items.length });
    show(items[0]?.part ?? '');
    try {
      const { applySnapshot } = await import('./snapshot-import.ts');
      const result = await applySnapshot(items, (part, count) => {
        done += count;
        show(part);
      });
      setStep({ kind: 'applied', platform, result });
    } catch (error) {
      setStep({ kind: 'failed', platform, error });
    } finally {
      await client.invalidateQueries();
    }
  };
  return (
    <div className={page.page}>
      {step.kind === 'choose' && <ChooseFile error={step.error} onTaken={take} />}
      {step.kind === 'reading' && <p role="status">Comparing the snapshot with this organization …</p>}
      {step.kind === 'planned' && (
        <SnapshotPlan
          items={step.items}
          onApply={(items) => void apply(step.platform, items)}
          onCancel={() => setStep({ kind: 'choose' })}
        />
      )}
      {step.kind === 'applying' && <Progress {...step} />}
      {step.kind === 'applied' && (
        <SnapshotResult
          platform={step.platform}
          result={step.result}
          onAgain={() => void plan(step.platform)}
          onOther={() => setStep({ kind: 'choose' })}
        />
      )}
      {step.kind === 'failed' && (
        <section className={page.part} aria-labelledby="stopped">
          <h2 id="stopped">The import stopped</h2>
          <Refusal error={step.error}>
            <p>What was imported stays. Continue to import the rest.</p>
          </Refusal>
          <button type="button" className={page.textButton} onClick={() => void plan(step.platform)}>
            Continue
          </button>
        </section>
      )}
      {leaving.status === 'blocked' && (
        <LeaveDialog title="Leave while importing?" onLeave={leaving.proceed} onStay={leaving.reset}>
          What was imported stays, and the import continues in the background. You will not see its result.
        </LeaveDialog>
      )}
    </div>
  );
}

const EXAMPLE = `{ "environments": { … }, "types": { … }, "projects": { … }, "timestamp": "…" }`;

interface ChooseFileProps {
  readonly error: unknown;
  onTaken(files: readonly ChosenFile[]): Promise<void>;
}

function ChooseFile({ error, onTaken }: ChooseFileProps) {
  return (
    <section className={page.part} aria-labelledby="from-a-snapshot">
      <h2 id="from-a-snapshot">Choose a snapshot</h2>
      <p className={page.note}>
        A snapshot is the response of <code>POST /api/v1/backup/snapshot/</code>. It contains secrets in clear text:
        this page keeps it in memory only, and forgets it when you leave. You see a plan before anything is imported.
      </p>
      <FileInput label="The snapshot, as JSON" placeholder={EXAMPLE} onTaken={(files) => void onTaken(files)} />
      {error != null && <Refusal error={error} />}
    </section>
  );
}

function Progress({ part, done, total }: { readonly part: string; readonly done: number; readonly total: number }) {
  return (
    <section className={page.part} aria-labelledby="importing">
      <h2 id="importing">Importing</h2>
      <div className={progress.progress}>
        <progress aria-label="Importing snapshot" max={total || 1} value={done} />
        <p role="status">
          {part} … {done.toLocaleString()} of {total.toLocaleString()}
        </p>
      </div>
    </section>
  );
}
