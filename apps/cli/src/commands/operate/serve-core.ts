import { defineCommand } from '../../core/define-command.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Runs the REST service. */
export const command = defineCommand({
  description: 'run the REST service',
  run: () => replaceProcess('core'),
});
