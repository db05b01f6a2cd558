import { defineCommand } from '../../core/define-command.ts';
import { become } from '../../start/become.ts';

/** Runs the REST service. */
export const command = defineCommand({
  description: 'run the REST service',
  run: () => become('core'),
});
