import { defineCommand, flagOption } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Shows the root keys of an installation. */
export const command = defineCommand({
  description: 'list the root keys of an installation by their fingerprints, and the progress of their rotation',
  options: { json: flagOption('--json', 'print JSON') },
  async run(_, { json }) {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    const args = ['list-keys', ...(json ? ['--json'] : [])];
    await replaceProcess('core', args, runningInstallation(withSecrets(process.env)));
  },
});
