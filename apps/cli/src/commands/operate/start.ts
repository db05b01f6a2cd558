import { defineCommand } from '../../core/define-command.ts';
import { start } from '../../start/start.ts';

/** Runs everything on this machine until it is stopped. */
export const command = defineCommand({
  description: 'run everything on this machine, with an embedded PostgreSQL unless DATABASE_URL is set',
  run: () => start(),
});
