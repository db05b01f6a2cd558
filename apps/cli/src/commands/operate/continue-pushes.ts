import { defineCommand } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Continues the pushes that wait since a restore. */
export const command = defineCommand({
  description: 'let integrations push again after a restore',
  async run() {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    await replaceProcess('core', ['continue-pushes'], runningInstallation(withSecrets(process.env)));
  },
});
