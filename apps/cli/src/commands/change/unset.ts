import { storeChangeset } from '../../api/changesets.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredList } from '../../core/define-command.ts';
import { MESSAGE_OPTIONS, SCOPE_OPTIONS } from '../../core/options.ts';
import { readChangeset } from '../../core/read-changeset.ts';
import { printApplied } from '../../render/plan.ts';

/** Deletes values of the selected project and environment. */
export const command = defineCommand({
  description: 'delete values, so that the inherited ones apply',
  arguments: { names: requiredList('names of the parameters') },
  options: { ...SCOPE_OPTIONS, ...MESSAGE_OPTIONS },
  examples: ['strata unset PORT'],
  async run({ names }, options) {
    const context = await loadContext(options);
    const body = await readChangeset(context, [], { ...options, unset: names });
    printApplied(await storeChangeset(context.client, { body }), options);
  },
});
