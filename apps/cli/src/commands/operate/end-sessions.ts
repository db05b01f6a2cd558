import { defineCommand, flagOption } from '../../core/define-command.ts';
import { OperatorError, withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Signs out everybody. */
export const command = defineCommand({
  description: 'sign out everybody: end all sessions and tokens, but no API keys',
  options: { yes: flagOption('--yes', 'confirm it') },
  async run(_, { yes }) {
    if (!yes) throw new OperatorError('This signs out all people in all organizations. Add --yes to confirm it.');
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    await replaceProcess('core', ['end-sessions'], runningInstallation(withSecrets(process.env)));
  },
});
