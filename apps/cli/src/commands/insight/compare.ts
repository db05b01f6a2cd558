import type { MatrixCell } from '@strata/contract';
import { counted } from '@strata/domain';
import { readAllRows } from '@strata/rest-client';
import { comparisonRequest } from '../../api/compare.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flag, optional, required, text } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { namesOnly } from '../../core/names-only.ts';
import { oneLine } from '../../core/one-line.ts';
import { PROJECT_OPTIONS } from '../../core/options.ts';
import { note, paint, printJson, shownText } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

const LENGTH_MAX = 50;

/** Prints the names whose values differ between two environments, projects or points in time. */
export const command = defineCommand({
  description: 'list the names whose values differ between two environments, projects or points in time',
  arguments: {
    left: required('environment on the left'),
    right: optional('environment on the right (default: the same)'),
  },
  options: {
    ...PROJECT_OPTIONS,
    rightProject: text('--right-project <name>', 'project on the right (default: the same)'),
    leftRevision: text('--left-revision <number>', 'the left side after a revision'),
    leftAsOf: text('--left-as-of <time>', 'the left side at a time'),
    leftTag: text('--left-tag <name>', 'the left side at the time of a tag'),
    rightRevision: text('--right-revision <number>', 'the right side after a revision'),
    rightAsOf: text('--right-as-of <time>', 'the right side at a time'),
    rightTag: text('--right-tag <name>', 'the right side at the time of a tag'),
    exitCode: flag('--exit-code', 'exit with 7 if there are differences'),
  },
  examples: ['strata compare staging production'],
  async run({ left, right }, options) {
    const context = await loadContext(options);
    const request = await comparisonRequest(context, left, right, options);
    const results = await readAllRows(context.client, 'projects_compare_list', request);
    if (options.json) printJson(namesOnly(results));
    else if (results.length === 0) note('There are no differences.');
    else {
      const rows = results.flatMap(({ name, cells }) =>
        cells.map((cell) => [oneLine(name), cellText(cell.left), cellText(cell.right)]),
      );
      printTable(['NAME', left, right ?? `${left} (right)`], rows);
    }
    if (options.exitCode && results.length > 0)
      throw new CommandError(EXIT.checkFailed, `The two sides differ in ${counted(results.length, 'name')}.`);
  },
});

function cellText(cell: MatrixCell | null): string {
  if (!cell || cell.states.includes('missing')) return paint('dim', 'not set');
  if (cell.states.includes('closed')) return paint('dim', 'no access');
  return shownText(cell.text, LENGTH_MAX);
}
