import type { LintFinding } from '@strata/contract';
import { counted, LINT_KINDS } from '@strata/domain';
import { readAllRows } from '@strata/rest-client';
import { describeFinding } from '../../api/lint.ts';
import type { Client } from '../../core/client.ts';
import { loadContext, type TargetOptions } from '../../core/context.ts';
import { choices, defineCommand, flag } from '../../core/define-command.ts';
import { CommandError, EXIT, invalid } from '../../core/errors.ts';
import { oneLine } from '../../core/one-line.ts';
import { ONLY_ENVIRONMENT, PROJECT_OPTIONS } from '../../core/options.ts';
import { note, paint, printJson } from '../../core/output.ts';
import { applyPlanned, printApplied } from '../../render/plan.ts';
import { printTable } from '../../render/table.ts';

/** Prints likely mistakes, and fixes those that can be fixed. */
export const command = defineCommand({
  description: 'list likely mistakes of the project; exits with 7 if there are any',
  options: {
    ...{ ...PROJECT_OPTIONS, environment: ONLY_ENVIRONMENT },
    kind: choices('--kind <kind>', 'only these kinds of findings; repeatable, or separated by commas', LINT_KINDS),
    all: flag('--all', 'all projects that you may read'),
    fix: flag('--fix', 'plan the fixes, and apply them after a confirmation'),
    yes: flag('-y, --yes', 'apply the fixes without a confirmation'),
  },
  examples: ['strata lint --kind expired_value'],
  async run(_, options) {
    const { client, selectedProject } = await loadContext(options);
    if (selectedProject === null && !options.all) throw invalid('No project is selected.', 'Add --project or --all.');
    const project = options.all ? undefined : selectedProject;
    const query = { kind: options.kind?.join(','), project, environment: options.environment };
    const findings = await readAllRows(client, 'lint_list', { query });
    if (options.fix) return fix(client, findings, options);
    if (options.json) printJson(findings.map(describeFinding));
    else if (findings.length === 0) note('There are no findings.');
    else printTable(['PROJECT', 'KIND', 'FIX', 'FINDING'], findings.map(findingRow));
    if (findings.length > 0)
      throw new CommandError(EXIT.checkFailed, `Strata reported ${counted(findings.length, 'finding')}.`);
  },
});

const findingRow = ({ project_name, kind, detail, operations }: LintFinding): readonly string[] => [
  oneLine(project_name),
  kind,
  operations.length > 0 ? paint('green', 'yes') : 'no',
  oneLine(detail),
];

interface FixOptions extends TargetOptions {
  readonly yes?: boolean;
}

async function fix(client: Client, findings: readonly LintFinding[], options: FixOptions): Promise<void> {
  const operations = findings.flatMap((finding) => finding.operations);
  const distinct = new Map(operations.map((operation) => [JSON.stringify(operation), operation]));
  const body = { message: 'Fix findings of lint', operations: [...distinct.values()] };
  if (distinct.size > 0)
    printApplied(await applyPlanned(client, { body }, { ...options, hint: 'Add --yes.' }), options);
  const remaining = findings.filter((finding) => finding.operations.length === 0).length;
  if (remaining > 0)
    throw new CommandError(EXIT.checkFailed, `${counted(remaining, 'finding')} cannot be fixed automatically.`, {
      hint: 'Run `strata lint` to list them.',
    });
  if (findings.length === 0) note('There are no findings.');
}
