import { KEY_STATES } from '@strata/domain';
import { findPush, readKeys } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, flagOption, requiredArgument, textOption } from '../../core/define-command.ts';
import { maskTexts } from '../../core/names-only.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { printKeys } from '../../render/push-keys.ts';

/** Lists the keys of a push with their states at the store. */
export const command = defineCommand({
  description: 'list the keys of a push with their states at the store',
  arguments: { push: requiredArgument('name or id of the push') },
  options: {
    ...URL_OPTIONS,
    integration: textOption('--integration <name>', 'integration of the push, if several pushes have the name'),
    state: choice('--state <state>', 'only keys in this state', KEY_STATES),
    pending: flagOption('--pending', 'only keys that change or need a decision'),
  },
  examples: ['strata push keys to-aws --pending'],
  async run({ push: name }, options) {
    const { client } = await loadContext(options);
    const { state, pending } = options;
    const push = await findPush(client, name, options.integration);
    const keys = await readKeys(client, push, { ...(state && { state }), ...(pending && { pending: 'true' }) });
    if (options.json) return printJson(keys.map(maskTexts));
    if (keys.length === 0) return printNote('There are no such keys.');
    printKeys(keys);
  },
});
