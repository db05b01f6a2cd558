import { defineCommand } from '../../core/define-command.ts';

/** Runs everything on this machine until it is stopped. */
export const command = defineCommand({
  description: 'run everything on this machine, with an embedded PostgreSQL unless DATABASE_URL is set',
  // The help of all commands loads this file, and the driver of the database is large.
  run: async () => (await import('../../start/start.ts')).start(),
});
