import { defineCommand, flag } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { become } from '../../start/become.ts';
import { runningInstallation } from '../../start/running-installation.ts';
import { processFindings } from './doctor/process-findings.ts';

/** Checks an installation. */
export const command = defineCommand({
  description: 'check the database, keys, jobs, disk and processes of an installation, and print what to do',
  options: { json: flag('--json', 'print the findings as JSON') },
  async run(_, { json }) {
    const env = runningInstallation(withSecrets(process.env));
    const also = JSON.stringify(await processFindings(env));
    become('core', ['doctor', '--also', also, ...(json ? ['--json'] : [])], env);
  },
});
