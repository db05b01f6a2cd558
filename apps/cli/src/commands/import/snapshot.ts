import { counted } from '@strata/domain';
import type { AppliedPart, ImportClient, ImportItem, ImportResult, Platform, RejectedItem } from '@strata/import';
import { importClient } from '../../api/import-client.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flag, required } from '../../core/define-command.ts';
import { CommandError, EXIT, invalid } from '../../core/errors.ts';
import { oneLine } from '../../core/one-line.ts';
import { DRY_RUN, URL_OPTIONS } from '../../core/options.ts';
import { note, print, printJson } from '../../core/output.ts';
import { confirm, readInput } from '../../core/prompt.ts';
import { countEffects, itemText, jsonItem, renderImportPlan } from '../../render/import-plan.ts';

/** Imports a snapshot: plans, and applies what the user has confirmed. A repeated import applies only what is missing. */
export const command = defineCommand({
  description: 'import the snapshot of an organization, after a confirmation; exits with 7 if a part is not imported',
  arguments: { file: required('response of backup/snapshot/; - is standard input') },
  options: {
    ...URL_OPTIONS,
    overwrite: flag('--overwrite', 'overwrite objects that exist and differ'),
    overwriteSecrets: flag('--overwrite-secrets', 'set secrets that exist again; they are not compared'),
    dryRun: DRY_RUN,
    yes: flag('-y, --yes', 'import without a confirmation'),
  },
  async run({ file }, options) {
    const { client } = await loadContext(options);
    // The help loads this file, and the reader of snapshots is large.
    const { planFor, readSnapshot } = await import('@strata/import');
    const { platform, problem } = readSnapshot(await readInput(file));
    if (platform === undefined) throw invalid(`${file === '-' ? 'Standard input' : file}: ${oneLine(problem)}`);
    const access = importClient(client);
    const plan = await planFor(access, platform);
    const chosen = plan.filter((item) => isChosen(item, options));
    const text = renderImportPlan(plan, { hasGrants: platform.grants !== undefined, count: chosen.length, ...options });
    if (options.dryRun) return finishPlan(plan, chosen.length, text, options);
    if (chosen.length > 0) {
      note(text);
      const hint = 'Add --yes to import without a confirmation, or --dry-run to print the plan.';
      if (!options.yes && !(await confirm(`Import ${counted(chosen.length, 'object')}?`, hint)))
        throw new CommandError(EXIT.failed, 'Nothing was changed.');
    }
    const result = await apply(access, platform, chosen);
    printResult(result, plan, options);
    failIfIncomplete(plan, result.rejected);
  },
});

interface SnapshotOptions {
  readonly json?: boolean;
  readonly overwrite?: boolean;
  readonly overwriteSecrets?: boolean;
}

const isChosen = ({ effect }: ImportItem, { overwrite = false, overwriteSecrets = false }: SnapshotOptions): boolean =>
  effect === 'created' || (effect === 'changed' && overwrite) || (effect === 'secret' && overwriteSecrets);

function finishPlan(plan: readonly ImportItem[], count: number, text: string, { json }: SnapshotOptions): void {
  const items = plan.filter(({ effect }) => effect !== 'unchanged').map(jsonItem);
  if (json) printJson({ would_import: count, totals: countEffects(plan), items });
  else print(text);
  failIfIncomplete(plan, []);
}

/**
 * Applies the items, with the progress on standard error. If some are rejected, they are planned and applied once more: a changeset of an
 * interrupted import can still have been running.
 */
async function apply(access: ImportClient, platform: Platform, chosen: readonly ImportItem[]): Promise<ImportResult> {
  const { applyImport, planFor } = await import('@strata/import');
  const progress = new Progress(chosen.length);
  const interrupted = () => {
    note(`Interrupted. ${progress.stays()}`);
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', interrupted);
  try {
    const first = await applyImport(access, chosen, progress);
    if (first.rejected.length === 0) return first;
    const rejected = new Set(first.rejected.map(({ item }) => item.key));
    const effects = new Map(chosen.map(({ key, effect }) => [key, effect]));
    const plan = await planFor(access, platform);
    const missing = plan.filter(({ key, effect }) => rejected.has(key) && effects.get(key) === effect);
    const second = await applyImport(access, missing, progress);
    return {
      applied: [...first.applied, ...second.applied],
      revisions: [...first.revisions, ...second.revisions],
      rejected: second.rejected,
    };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const hint = [error.details.hint, `The import stopped. ${progress.stays()}`].filter(Boolean).join('\n');
    throw new CommandError(error.exitCode, error.message, { ...error.details, hint });
  } finally {
    process.off('SIGINT', interrupted);
  }
}

/** Counts and reports the objects that are imported. */
class Progress {
  private done = 0;

  constructor(private readonly total: number) {}

  readonly message = (part: string): string => `Import of a snapshot: ${part}`;

  readonly onApplied = ({ part, keys, revision }: AppliedPart): void => {
    this.done += keys.length;
    note(`${this.done} of ${this.total} objects: ${oneLine(part)}, revision ${revision}`);
  };

  stays(): string {
    return `${counted(this.done, 'object')} imported, which stay. Run the command again to import the rest.`;
  }
}

function printResult(
  { applied, revisions, rejected }: ImportResult,
  plan: readonly ImportItem[],
  { json }: SnapshotOptions,
) {
  const rejections = rejected.map(({ item, message }) => ({ ...jsonItem(item), reason: message }));
  if (json) {
    const conflicts = plan.filter(({ effect }) => effect === 'conflict').map(jsonItem);
    return printJson({
      imported: applied.length,
      revisions,
      rejected: rejections,
      conflicts,
      totals: countEffects(plan),
    });
  }
  if (applied.length === 0 && rejected.length === 0)
    print('Nothing to import: everything that can be imported exists.');
  else print(`${counted(applied.length, 'object')} imported in ${counted(revisions.length, 'revision')}.`);
  for (const { item, message } of rejected) print(`  rejected ${itemText(item)}: ${oneLine(message)}`);
}

/** Throws if a part of the snapshot is not imported and the user can change that. */
function failIfIncomplete(plan: readonly ImportItem[], rejected: readonly RejectedItem[]): void {
  const conflicts = plan.filter(({ effect }) => effect === 'conflict').length;
  const parts = [
    ...(rejected.length > 0 ? [`Strata rejected ${counted(rejected.length, 'object')}.`] : []),
    ...(conflicts > 0 ? [`${counted(conflicts, 'object')} in conflict with the organization.`] : []),
  ];
  if (parts.length === 0) return;
  throw new CommandError(EXIT.checkFailed, parts.join(' '), {
    hint: 'Correct them in the source or in Strata, and run the command again. `--dry-run` lists conflicts.',
  });
}
