import type { LintFinding } from '@strata/contract';
import { formatCount, LINT_KINDS } from '@strata/domain';
import { readAllRows } from '@strata/rest-client';
import { describeFinding } from '../../api/lint.ts';
import type { Client } from '../../core/client.ts';
import { loadContext, type TargetOptions } from '../../core/context.ts';
import { choices, defineCommand, flagOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { toOneLine } from '../../core/one-line.ts';
import { ENVIRONMENT_FILTER, PROJECT_OPTIONS } from '../../core/options.ts';
import { paint, printJson, printNote } from '../../core/output.ts';
import { applyPlanned, printApplied } from '../../render/plan.ts';
import { printTable } from '../../render/table.ts';

/** Prints likely mistakes, and fixes those that can be fixed. */
export const command = defineCommand({
  description: 'list likely mistakes of the project; exits with 7 if there are any',
  options: {
    ...{ ...PROJECT_OPTIONS, environment: ENVIRONMENT_FILTER },
    kind: choices('--kind <kind>', 'only these kinds of findings; repeatable, or separated by commas', LINT_KINDS),
    all: flagOption('--all', 'all projects that you may read'),
    fix: flagOption('--fix', 'plan the fixes, and apply them after a confirmation'),
    yes: flagOption('-y, --yes', 'apply the fixes without a confirmation'),
  },
  examples: ['strata lint --kind expired_value'],
  async run(_, options) {
    const { client, selectedProject } = await loadContext(options);
    if (selectedProject === null && !options.all)
      throw invalidInputError('No project is selected.', 'Add --project or --all.');
    const project = options.all ? undefined : selectedProject;
    const query = { kind: options.kind?.join(','), project, environment: options.environment };
    const findings = await readAllRows(client, 'lint_list', { query });
    if (options.fix) return fix(client, findings, options);
    if (options.json) printJson(findings.map(describeFinding));
    else if (findings.length === 0) printNote('There are no findings.');
    else printTable(['PROJECT', 'KIND', 'FIX', 'FINDING'], findings.map(findingRow));
    if (findings.length > 0)
      throw new CommandError(EXIT.checkFailed, `Strata reported ${formatCount(findings.length, 'finding')}.`);
  },
});

const findingRow = ({ project_name, kind, detail, operations }: LintFinding): readonly string[] => [
  toOneLine(project_name),
  kind,
  operations.length > 0 ? paint('green', 'yes') : 'no',
  toOneLine(detail),
];

interface FixOptions extends TargetOptions {
  readonly yes?: boolean;
}

async function fix(client: Client, findings: readonly LintFinding[], options: FixOptions): Promise<void> {
  const operations = findings.flatMap((finding) => finding.operations);
  const distinctOperations = new Map(operations.map((operation) => [JSON.stringify(operation), operation]));
  const body = { message: 'Fix findings of lint', operations: [...distinctOperations.values()] };
  if (distinctOperations.size > 0)
    printApplied(await applyPlanned(client, { body }, { ...options, hint: 'Add --yes.' }), options);
  const remaining = findings.filter((finding) => finding.operations.length === 0).length;
  if (remaining > 0)
    throw new CommandError(EXIT.checkFailed, `${formatCount(remaining, 'finding')} cannot be fixed automatically.`, {
      hint: 'Run `strata lint` to list them.',
    });
  if (findings.length === 0) printNote('There are no findings.');
}
