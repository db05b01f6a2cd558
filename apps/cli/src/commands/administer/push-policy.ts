import { DRIFT_POLICIES } from '@strata/domain';
import { changePolicy, findPush, readPolicy } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, requiredArgument, textOption } from '../../core/define-command.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';

/** Prints or changes what a push may do without a person. */
export const command = defineCommand({
  description: 'print or change what a push may do without a person',
  arguments: { push: requiredArgument('name or id of the push') },
  options: {
    ...URL_OPTIONS,
    integration: textOption('--integration <name>', 'integration of the push, if several pushes have the name'),
    planFirst: choice('--plan-first <answer>', 'whether runs wait for approval before unusual steps', ['yes', 'no']),
    drift: choice('--drift <policy>', 'what a run does with a key that another program changed', DRIFT_POLICIES),
  },
  async run({ push: name }, { integration, planFirst, drift, ...options }) {
    const { client } = await loadContext(options);
    const push = await findPush(client, name, integration);
    const change = {
      ...(planFirst !== undefined && { plan_first: planFirst === 'yes' }),
      ...(drift !== undefined && { drift }),
    };
    const isChange = Object.keys(change).length > 0;
    const policy = await (isChange ? changePolicy(client, push, change) : readPolicy(client, push));
    if (options.json) return printJson(policy);
    print(`plan first ${policy.plan_first ? 'yes' : 'no'}, drift ${policy.drift}`);
  },
});
