import { storeChangeset } from '../../api/changesets.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { ASSIGNMENT_OPTIONS, ASSIGNMENTS, MESSAGE_OPTIONS, SCOPE_OPTIONS } from '../../core/options.ts';
import { readChangeset } from '../../core/read-changeset.ts';
import { printApplied } from '../../render/plan.ts';

/** Sets values of the selected project and environment. */
export const command = defineCommand({
  description: 'set values by name, as one changeset',
  arguments: { values: ASSIGNMENTS },
  options: { ...SCOPE_OPTIONS, ...MESSAGE_OPTIONS, ...ASSIGNMENT_OPTIONS },
  examples: ["strata set PORT=8081 --message 'Move to another port'", 'strata set HOST=localhost --create'],
  async run({ values }, options) {
    const context = await loadContext(options);
    const body = await readChangeset(context, values, options);
    printApplied(await storeChangeset(context.client, { body }), options);
  },
});
