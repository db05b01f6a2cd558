import { defineCommand, flagOption } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Checks an installation. */
export const command = defineCommand({
  description: 'check the database, keys, jobs, disk and processes of an installation, and print what to do',
  options: { json: flagOption('--json', 'print the findings as JSON') },
  async run(_, { json }) {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    const { processFindings } = await import('./doctor/process-findings.ts');
    const env = runningInstallation(withSecrets(process.env));
    const also = JSON.stringify(await processFindings(env));
    await replaceProcess('core', ['doctor', '--also', also, ...(json ? ['--json'] : [])], env);
  },
});
