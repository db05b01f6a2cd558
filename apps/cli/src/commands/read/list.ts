import { describeValue, readValues, type ValueWithSource } from '../../api/effective.ts';
import { missingValueError } from '../../api/explain.ts';
import { type Context, loadContext } from '../../core/context.ts';
import { defineCommand, optionalList } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { MOMENT_OPTIONS, REVEAL, SCOPE_OPTIONS } from '../../core/options.ts';
import { paint, printJson, printNote, shownText } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

const LENGTH_MAX = 60;

/** Prints the names and values of an environment: all of them, or those of some names. */
export const command = defineCommand({
  description: 'list the effective values of an environment',
  arguments: { names: optionalList('only these parameters; exits with 4 if one has no value (default: all)') },
  options: { ...SCOPE_OPTIONS, ...MOMENT_OPTIONS, reveal: REVEAL },
  examples: ['strata list', 'strata list PORT HOST'],
  async run({ names }, options) {
    const context = await loadContext(options);
    const values = await readValues(context, options, names.length > 0 ? names : undefined);
    const missingName = names.find((name) => !(name in values));
    if (missingName !== undefined) throw await missingValueError(context, missingName, options);
    const entries = Object.entries(values);
    if (options.json) return printJson(entries.map(([name, value]) => ({ name, ...describeValue(value) })));
    if (entries.length === 0)
      return printNote(`Project "${context.project}" has no values in environment "${context.environment}".`);
    const rows = entries.map(([name, value]) => [
      toOneLine(name),
      shownText(value.value, LENGTH_MAX),
      describeSource(value, context),
    ]);
    printTable(['NAME', 'VALUE', 'SET IN'], rows);
  },
});

const describeSource = (value: ValueWithSource, { project, environment }: Context): string =>
  [
    value.source_project_name !== project && toOneLine(value.source_project_name),
    value.source_environment_name === environment
      ? toOneLine(environment)
      : paint('dim', toOneLine(value.source_environment_name)),
  ]
    .filter(Boolean)
    .join(' / ');
