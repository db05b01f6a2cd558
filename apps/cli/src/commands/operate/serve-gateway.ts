import { defineCommand } from '../../core/define-command.ts';
import { become } from '../../start/become.ts';

/** Runs the gateway. */
export const command = defineCommand({
  description: 'run GraphQL and the console',
  run: () => become('gateway'),
});
