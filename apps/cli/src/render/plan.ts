import type { StoredChangeset } from '../api/changesets.ts';
import { readPlan, readPlanText, rejectedPlan } from '../api/plans.ts';
import { type Client, HINTS_OF_CODES } from '../core/client.ts';
import { namesOnly } from '../core/names-only.ts';
import { counted, paint, print, printJson } from '../core/output.ts';
import { describeChange } from './changesets.ts';

interface PlanOptions {
  readonly json?: boolean;
  readonly assumeWrite?: boolean;
}

const ASSUME_WRITE = 'If your role cannot write, add --assume-write to plan.';

/** Prints what a changeset would do, and its hash. Throws if Strata would reject an operation. */
export async function printPlan(
  client: Client,
  path: string,
  body: object,
  { json, assumeWrite }: PlanOptions,
): Promise<void> {
  const query = { assume_write: assumeWrite };
  const hints = assumeWrite === false ? { ...HINTS_OF_CODES, forbidden: ASSUME_WRITE } : HINTS_OF_CODES;
  if (json) {
    const plan = await readPlan(client, path, body, query);
    printJson(namesOnly(plan));
    if (plan.totals.refusals > 0)
      throw rejectedPlan(
        plan.refusals.map(({ code }) => code),
        hints,
      );
    return;
  }
  const { text, hash, rejectionCodes } = await readPlanText(client, path, body, query);
  print(`${text}\n\n${paint('bold', 'Plan hash')} ${hash}`);
  if (rejectionCodes.length > 0) throw rejectedPlan(rejectionCodes, hints);
}

/** Prints what a stored changeset has changed. */
export function printApplied(stored: StoredChangeset, { json }: PlanOptions): void {
  const changes = stored.changes ?? stored.operations?.flatMap((operation) => operation.changes ?? []) ?? [];
  const isChanged = stored.url !== null;
  if (json) printJson({ revision: stored.revision, changed: isChanged, changes: namesOnly(changes) });
  else if (isChanged) {
    const lines = changes.map((change) => `  ${describeChange(change)}`);
    print([`Revision ${stored.revision}: ${counted(changes.length, 'change')}`, ...lines].join('\n'));
  } else print('Nothing has changed: the configuration already has these values.');
}
