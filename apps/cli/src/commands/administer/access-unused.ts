import type { UnusedAccess } from '@strata/contract';
import { readAllRows } from '@strata/rest-client';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flagOption, wholeNumberOr } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { PLAN_HASH, URL_OPTIONS, YES } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { applyPlanned, printApplied, printPlan } from '../../render/plan.ts';
import { printTable } from '../../render/table.ts';

/** Lists rights that were not used, and removes them in one changeset. */
export const command = defineCommand({
  description: 'list rights that were not used, with the changes that remove them; plan or apply these changes',
  options: {
    ...URL_OPTIONS,
    days: wholeNumberOr(90, '--days <number>', 'number of days without use', 90),
    showPlan: flagOption('--show-plan', 'print the plan of all proposed changes, with its hash'),
    plan: PLAN_HASH,
    yes: YES,
  },
  examples: ['strata access unused'],
  async run(_, options) {
    const { client } = await loadContext(options);
    const proposals = await readAllRows(client, 'access_unused_list', { query: { days: options.days } });
    const body = { operations: proposals.map(({ operation }) => operation), message: 'Remove unused rights' };
    const isEmpty = proposals.length === 0;
    if (!isEmpty && options.showPlan) return printPlan(client, { body }, options);
    if (!isEmpty && (options.plan !== undefined || options.yes))
      return printApplied(await applyPlanned(client, { body }, options), options);
    if (options.json) printJson(proposals);
    else if (isEmpty) printNote(`All rights were used in the last ${options.days} days, or are newer.`);
    else printTable(['USER', 'SCOPE', 'UNUSED', 'CHANGE', 'LAST USE'], proposals.map(tableRow));
  },
});

const UNUSED: Readonly<Record<UnusedAccess['right'], string>> = {
  grant: 'grant',
  grant_write: 'write',
  role_write: 'write',
  reveal: 'reveal secrets',
};

function tableRow(proposal: UnusedAccess): readonly string[] {
  const {
    right,
    principal_name: name,
    scope_name: scope,
    role,
    proposed_role: proposed,
    last_used_at: used,
  } = proposal;
  const change = proposed === null ? 'remove' : `${role} -> ${proposed}`;
  return [toOneLine(name), toOneLine(scope ?? 'organization'), UNUSED[right], change, used ?? 'not recorded'];
}
