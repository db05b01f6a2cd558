import { defineCommand, flag } from '../../core/define-command.ts';
import { become } from '../../start/become.ts';

/** Prepares a PostgreSQL that you have restored. */
export const command = defineCommand({
  description:
    'prepare your restored PostgreSQL: replace the epochs, end all sessions, check the ledger and the secrets',
  options: { json: flag('--json', 'print the findings as JSON') },
  run: (_, { json }) => become('core', ['after-restore', ...(json ? ['--json'] : [])]),
});
