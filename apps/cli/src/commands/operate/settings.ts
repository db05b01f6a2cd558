import { defineCommand } from '../../core/define-command.ts';

/** Lists the settings of all processes. */
export const command = defineCommand({
  description: 'list the settings of all processes with their defaults',
  async run() {
    // The help of all commands loads this file, and the driver of the database is large.
    const { listSettings } = await import('./settings/list-settings.ts');
    console.log(await listSettings());
  },
});
