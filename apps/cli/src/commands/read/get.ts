import { describeValue, readValues } from '../../api/effective.ts';
import { missingValueError } from '../../api/explain.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredArgument } from '../../core/define-command.ts';
import { invalidInputError } from '../../core/errors.ts';
import { MOMENT_OPTIONS, REVEAL, SCOPE_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';

/** Prints the value of one parameter. */
export const command = defineCommand({
  description: 'print one effective value',
  arguments: { name: requiredArgument('name of the parameter') },
  options: { ...SCOPE_OPTIONS, ...MOMENT_OPTIONS, reveal: REVEAL },
  examples: ['strata get PORT', 'strata get PORT --environment staging --json'],
  async run({ name }, options) {
    const context = await loadContext(options);
    const value = (await readValues(context, options, [name]))[name];
    if (value === undefined) throw await missingValueError(context, name, options);
    if (value.secret && !options.reveal)
      throw invalidInputError(
        `"${name}" is a secret.`,
        'Add --reveal to print it. The access log of Strata then records it.',
      );
    if (options.json) return printJson({ name, ...describeValue(value) });
    print(value.value ?? '');
  },
});
