import { defineCommand } from '../../core/define-command.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Runs the gateway. */
export const command = defineCommand({
  description: 'run GraphQL and the console',
  run: () => replaceProcess('gateway'),
});
