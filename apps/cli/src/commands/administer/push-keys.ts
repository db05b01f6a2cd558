import { KEY_STATES } from '@strata/domain';
import { findPush, readKeys } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, flag, required, text } from '../../core/define-command.ts';
import { namesOnly } from '../../core/names-only.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { note, printJson } from '../../core/output.ts';
import { printKeys } from '../../render/push-keys.ts';

/** Lists the keys of a push with their states at the store. */
export const command = defineCommand({
  description: 'list the keys of a push with their states at the store',
  arguments: { push: required('name or id of the push') },
  options: {
    ...URL_OPTIONS,
    integration: text('--integration <name>', 'integration of the push, if several pushes have the name'),
    state: choice('--state <state>', 'only keys in this state', KEY_STATES),
    pending: flag('--pending', 'only keys that change or need a decision'),
  },
  examples: ['strata push keys to-aws --pending'],
  async run({ push: name }, options) {
    const { client } = await loadContext(options);
    const { state, pending } = options;
    const push = await findPush(client, name, options.integration);
    const keys = await readKeys(client, push, { ...(state && { state }), ...(pending && { pending: 'true' }) });
    if (options.json) return printJson(keys.map(namesOnly));
    if (keys.length === 0) return note('There are no such keys.');
    printKeys(keys);
  },
});
