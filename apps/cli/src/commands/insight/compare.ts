import type { MatrixCell } from '@strata/contract';
import { formatCount } from '@strata/domain';
import { readAllRows } from '@strata/rest-client';
import { comparisonRequest } from '../../api/compare.ts';
import { loadContext } from '../../core/context.ts';
import {
  defineCommand,
  flagOption,
  optionalArgument,
  requiredArgument,
  textOption,
} from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { maskTexts } from '../../core/names-only.ts';
import { toOneLine } from '../../core/one-line.ts';
import { PROJECT_OPTIONS } from '../../core/options.ts';
import { paint, printJson, printNote, shownText } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

const LENGTH_MAX = 50;

/** Prints the names whose values differ between two environments, projects or points in time. */
export const command = defineCommand({
  description: 'list the names whose values differ between two environments, projects or points in time',
  arguments: {
    left: requiredArgument('environment on the left'),
    right: optionalArgument('environment on the right (default: the same)'),
  },
  options: {
    ...PROJECT_OPTIONS,
    rightProject: textOption('--right-project <name>', 'project on the right (default: the same)'),
    leftRevision: textOption('--left-revision <number>', 'the left side after a revision'),
    leftAsOf: textOption('--left-as-of <time>', 'the left side at a time'),
    leftTag: textOption('--left-tag <name>', 'the left side at the time of a tag'),
    rightRevision: textOption('--right-revision <number>', 'the right side after a revision'),
    rightAsOf: textOption('--right-as-of <time>', 'the right side at a time'),
    rightTag: textOption('--right-tag <name>', 'the right side at the time of a tag'),
    exitCode: flagOption('--exit-code', 'exit with 7 if there are differences'),
  },
  examples: ['strata compare staging production'],
  async run({ left, right }, options) {
    const context = await loadContext(options);
    const request = await comparisonRequest(context, left, right, options);
    const results = await readAllRows(context.client, 'projects_compare_list', request);
    if (options.json) printJson(maskTexts(results));
    else if (results.length === 0) printNote('There are no differences.');
    else {
      const rows = results.flatMap(({ name, cells }) =>
        cells.map((cell) => [toOneLine(name), cellText(cell.left), cellText(cell.right)]),
      );
      printTable(['NAME', left, right ?? `${left} (right)`], rows);
    }
    if (options.exitCode && results.length > 0)
      throw new CommandError(EXIT.checkFailed, `The two sides differ in ${formatCount(results.length, 'name')}.`);
  },
});

function cellText(cell: MatrixCell | null): string {
  if (!cell || cell.states.includes('missing')) return paint('dim', 'not set');
  if (cell.states.includes('closed')) return paint('dim', 'no access');
  return shownText(cell.text, LENGTH_MAX);
}
