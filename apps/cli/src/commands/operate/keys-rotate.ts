import { defineCommand } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Replaces the root key. */
export const command = defineCommand({
  description: 'encrypt all keys in the database with STRATA_ROOT_KEY instead of STRATA_PREVIOUS_ROOT_KEY',
  async run() {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    await replaceProcess('core', ['rotate-root-key'], runningInstallation(withSecrets(process.env)));
  },
});
