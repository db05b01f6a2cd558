import { formatCount } from '@strata/domain';
import { type ChangesetWrite, type StoredChangeset, storeChangeset } from '../api/changesets.ts';
import { readPlan, readPlanText, rejectedPlanError } from '../api/plans.ts';
import type { Client, CodeHints } from '../core/client.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { maskTexts } from '../core/names-only.ts';
import { paint, print, printJson, printNote } from '../core/output.ts';
import { confirm } from '../core/prompt.ts';
import { describeChange } from './changesets.ts';

interface PlanOptions {
  readonly json?: boolean;
  readonly assumeWrite?: boolean;
}

const ASSUME_WRITE = 'If your role cannot write, add --assume-write to plan.';

/** Prints what a changeset would do, and its hash. Throws if Strata would reject an operation. */
export async function printPlan(
  client: Client,
  write: ChangesetWrite,
  { json, assumeWrite }: PlanOptions,
): Promise<void> {
  const hints: CodeHints = assumeWrite === false ? { forbidden: ASSUME_WRITE } : {};
  if (json) {
    const plan = await readPlan(client, write, { assumeWrite });
    printJson(maskTexts(plan));
    if (plan.totals.refusals > 0)
      throw rejectedPlanError(
        plan.refusals.map(({ code }) => code),
        hints,
      );
    return;
  }
  const { text, hash, rejectionCodes } = await readPlanText(client, write, { assumeWrite });
  print(`${text}\n\n${paint('bold', 'Plan hash')} ${hash}`);
  if (rejectionCodes.length > 0) throw rejectedPlanError(rejectionCodes, hints);
}

interface ApplyOptions {
  /** The hash of a plan. */
  readonly plan?: string;
  readonly yes?: boolean;
  /** How to apply without a terminal. */
  readonly hint?: string;
  /** Hints for error codes that differ from the usual ones. */
  readonly hints?: CodeHints;
}

/** Applies with a plan hash, at once with --yes, and otherwise after a confirmation. */
export async function applyPlanned(
  client: Client,
  write: ChangesetWrite,
  { plan: hash, yes = false, hint, hints }: ApplyOptions,
): Promise<StoredChangeset> {
  const asPlanned = (plan: string) => ({ ...write, body: { ...write.body, plan_hash: plan } });
  if (hash !== undefined) return storeChangeset(client, asPlanned(hash), hints);
  if (yes) return storeChangeset(client, write, hints);
  const planText = await readPlanText(client, write);
  printNote(planText.text);
  if (planText.rejectionCodes.length > 0) throw rejectedPlanError(planText.rejectionCodes, hints);
  if (await confirm('Apply these changes?', hint)) return storeChangeset(client, asPlanned(planText.hash), hints);
  throw new CommandError(EXIT.failed, 'Nothing was changed.');
}

/** Prints what a stored changeset has changed. */
export function printApplied(storedChangeset: StoredChangeset, { json }: PlanOptions): void {
  const changes =
    'changes' in storedChangeset
      ? storedChangeset.changes
      : storedChangeset.operations.flatMap((operation) => operation.changes);
  const isChanged = storedChangeset.url !== null;
  if (json) printJson({ revision: storedChangeset.revision, changed: isChanged, changes: maskTexts(changes) });
  else if (isChanged) {
    const lines = changes.map((change) => `  ${describeChange(change)}`);
    print([`Revision ${storedChangeset.revision}: ${formatCount(changes.length, 'change')}`, ...lines].join('\n'));
  } else print('Nothing has changed: the configuration already has these values.');
}
