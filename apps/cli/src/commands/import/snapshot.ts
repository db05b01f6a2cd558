import { formatCount } from '@strata/domain';
import type { AppliedPart, ImportClient, ImportItem, ImportResult, Platform, RejectedItem } from '@strata/import';
import { importClient } from '../../api/import-client.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flagOption, requiredArgument } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { toOneLine } from '../../core/one-line.ts';
import { DRY_RUN, URL_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { confirm, readInput } from '../../core/prompt.ts';
import { countEffects, itemText, jsonItem, renderImportPlan } from '../../render/import-plan.ts';

/** Imports a snapshot: plans, and applies what the user has confirmed. A repeated import applies only what is missing. */
export const command = defineCommand({
  description: 'import the snapshot of an organization, after a confirmation; exits with 7 if a part is not imported',
  arguments: { file: requiredArgument('response of backup/snapshot/; - is standard input') },
  options: {
    ...URL_OPTIONS,
    overwrite: flagOption('--overwrite', 'overwrite objects that exist and differ'),
    overwriteSecrets: flagOption('--overwrite-secrets', 'set secrets that exist again; they are not compared'),
    dryRun: DRY_RUN,
    yes: flagOption('-y, --yes', 'import without a confirmation'),
  },
  async run({ file }, options) {
    const { client } = await loadContext(options);
    // The help loads this file, and the reader of snapshots is large.
    const { planFor, readSnapshot } = await import('@strata/import');
    const { platform, problem } = readSnapshot(await readInput(file));
    if (platform === undefined)
      throw invalidInputError(`${file === '-' ? 'Standard input' : file}: ${toOneLine(problem)}`);
    const access = importClient(client);
    const plan = await planFor(access, platform);
    const chosenItems = plan.filter((item) => isChosen(item, options));
    const text = renderImportPlan(plan, {
      hasGrants: platform.grants !== undefined,
      count: chosenItems.length,
      ...options,
    });
    if (options.dryRun) return finishPlan(plan, chosenItems.length, text, options);
    if (chosenItems.length > 0) {
      printNote(text);
      const hint = 'Add --yes to import without a confirmation, or --dry-run to print the plan.';
      if (!options.yes && !(await confirm(`Import ${formatCount(chosenItems.length, 'object')}?`, hint)))
        throw new CommandError(EXIT.failed, 'Nothing was changed.');
    }
    const result = await apply(access, platform, chosenItems);
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
async function apply(
  access: ImportClient,
  platform: Platform,
  chosenItems: readonly ImportItem[],
): Promise<ImportResult> {
  const { applyImport, planFor } = await import('@strata/import');
  const progress = new Progress(chosenItems.length);
  const interrupted = () => {
    printNote(`Interrupted. ${progress.stays()}`);
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', interrupted);
  try {
    const first = await applyImport(access, chosenItems, progress);
    if (first.rejected.length === 0) return first;
    const rejectedKeys = new Set(first.rejected.map(({ item }) => item.key));
    const effects = new Map(chosenItems.map(({ key, effect }) => [key, effect]));
    const plan = await planFor(access, platform);
    const missingItems = plan.filter(({ key, effect }) => rejectedKeys.has(key) && effects.get(key) === effect);
    const secondResult = await applyImport(access, missingItems, progress);
    return {
      applied: [...first.applied, ...secondResult.applied],
      revisions: [...first.revisions, ...secondResult.revisions],
      rejected: secondResult.rejected,
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
    printNote(`${this.done} of ${this.total} objects: ${toOneLine(part)}, revision ${revision}`);
  };

  stays(): string {
    return `${formatCount(this.done, 'object')} imported, which stay. Run the command again to import the rest.`;
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
  else print(`${formatCount(applied.length, 'object')} imported in ${formatCount(revisions.length, 'revision')}.`);
  for (const { item, message } of rejected) print(`  rejected ${itemText(item)}: ${toOneLine(message)}`);
}

/** Throws if a part of the snapshot is not imported and the user can change that. */
function failIfIncomplete(plan: readonly ImportItem[], rejectedItems: readonly RejectedItem[]): void {
  const conflicts = plan.filter(({ effect }) => effect === 'conflict').length;
  const parts = [
    ...(rejectedItems.length > 0 ? [`Strata rejected ${formatCount(rejectedItems.length, 'object')}.`] : []),
    ...(conflicts > 0 ? [`${formatCount(conflicts, 'object')} in conflict with the organization.`] : []),
  ];
  if (parts.length === 0) return;
  throw new CommandError(EXIT.checkFailed, parts.join(' '), {
    hint: 'Correct them in the source or in Strata, and run the command again. `--dry-run` lists conflicts.',
  });
}
