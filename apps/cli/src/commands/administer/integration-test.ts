import { findIntegration, testConnection } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredArgument } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';

/** Tests the connection of an integration. */
export const command = defineCommand({
  description: 'test the connection of an integration, and store the result as its status',
  arguments: { integration: requiredArgument('name or id of the integration') },
  options: URL_OPTIONS,
  async run({ integration: name }, options) {
    const { client } = await loadContext(options);
    const integration = await findIntegration(client, name);
    const result = await testConnection(client, integration);
    if (options.json) printJson(result);
    if (result.status === 'connected') {
      if (!options.json) print(`The connection of "${integration.name}" works.`);
      return;
    }
    throw new CommandError(EXIT.failed, result.status_detail, {
      hint: 'Correct the settings of the integration, or the permissions at the provider, and test again.',
    });
  },
});
