import { defineCommand, flagOption } from '../../core/define-command.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Prepares a PostgreSQL that you have restored. */
export const command = defineCommand({
  description:
    'prepare your restored PostgreSQL: replace the epochs, end all sessions, check the ledger and the secrets',
  options: { json: flagOption('--json', 'print the findings as JSON') },
  run: (_, { json }) => replaceProcess('core', ['after-restore', ...(json ? ['--json'] : [])]),
});
