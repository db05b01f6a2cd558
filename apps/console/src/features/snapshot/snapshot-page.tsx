import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { viewerQuery } from '../../data/session.ts';
import { type ChosenFile, FileInput } from '../../kit/env-file/file-input.tsx';
import progress from '../../kit/env-file/first-run-page.module.css';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { SnapshotPlan } from './snapshot-plan.tsx';
import { SnapshotImportResult } from './snapshot-result.tsx';
import { useSnapshotImport } from './use-snapshot-import.ts';

/** Imports the snapshot of another organization or service, after a plan. */
export function SnapshotPage() {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return null;
  if (!new Set<string>(viewer.abilities.abilities).has('write_content')) {
    return <PageNote>This page imports the backup of an organization. You can still read its projects.</PageNote>;
  }
  return <SnapshotImport />;
}

function SnapshotImport() {
  const { step, take, plan, apply, restart } = useSnapshotImport();
  const isBusy = step.kind === 'applying';
  const leaveBlocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isBusy && current.pathname !== next.pathname,
    enableBeforeUnload: () => isBusy,
    withResolver: true,
  });
  return (
    <div className={page.page}>
      {step.kind === 'choose' && <ChooseFile error={step.error} onTaken={take} />}
      {step.kind === 'reading' && <p role="status">Comparing the snapshot with this organization …</p>}
      {step.kind === 'planned' && (
        <SnapshotPlan
          items={step.items}
          hasGrants={step.platform.grants !== undefined}
          onApply={(items) => void apply(step.platform, items)}
          onCancel={restart}
        />
      )}
      {step.kind === 'applying' && <Progress {...step} />}
      {step.kind === 'applied' && (
        <SnapshotImportResult
          result={step.result}
          projects={step.projects}
          onAgain={() => void plan(step.platform)}
          onOther={restart}
        />
      )}
      {step.kind === 'failed' && (
        <section className={page.part} aria-labelledby="stopped">
          <h2 id="stopped">The import stopped</h2>
          <ActionError error={step.error}>
            <p>Imported objects stay. Continue to import the rest.</p>
          </ActionError>
          <button type="button" className={button.main} onClick={() => void plan(step.platform)}>
            Continue
          </button>
        </section>
      )}
      {leaveBlocker.status === 'blocked' && (
        <LeaveDialog title="Leave while importing?" onLeave={leaveBlocker.proceed} onStay={leaveBlocker.reset}>
          Imported objects stay, and the import continues in the background. You will not see its result.
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
        this page keeps it in memory only, and clears it when you leave. You see a plan before anything is imported.
      </p>
      <FileInput label="The snapshot, as JSON" placeholder={EXAMPLE} onTaken={(files) => void onTaken(files)} />
      {error != null && <ActionError error={error} />}
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
          <UserText>{part}</UserText> … {done.toLocaleString()} of {total.toLocaleString()}
        </p>
      </div>
    </section>
  );
}
