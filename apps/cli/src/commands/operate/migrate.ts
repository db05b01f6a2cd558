import { defineCommand, flagOption } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Creates or updates the schema of the database. */
export const command = defineCommand({
  description: 'create or update the schema of the database, and exit',
  options: {
    enforce: flagOption('--enforce', 'enforce row-level security; no core of an earlier release may run'),
  },
  async run(_, { enforce }) {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    const args = ['migrate', ...(enforce ? ['--enforce'] : [])];
    await replaceProcess('core', args, runningInstallation(withSecrets(process.env)));
  },
});
