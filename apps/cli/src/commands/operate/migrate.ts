import { defineCommand } from '../../core/define-command.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Creates or updates the schema of the database. */
export const command = defineCommand({
  description: 'create or update the schema of the database, and exit',
  run: () => replaceProcess('core', ['migrate']),
});
