import { defineCommand, flagOption, listOption, textOption } from '../../core/define-command.ts';
import { withSecrets } from '../../core/secret-settings.ts';
import { replaceProcess } from '../../start/replace-process.ts';

/** Verifies the ledgers of a database. */
export const command = defineCommand({
  description: 'verify that no changeset and no change in the database was manipulated, by links and by checkpoints',
  options: {
    checkpoints: textOption('--checkpoints <file>', 'a file with checkpoints that you keep elsewhere'),
    key: listOption('--key <key>', 'a public key that has signed the checkpoints; repeatable'),
    state: textOption('--state <file>', 'verify only what was written since the last time with this file'),
    json: flagOption('--json', 'print the findings as JSON'),
  },
  async run(_, { checkpoints, key: keys = [], state, json }) {
    // The help of all commands loads this file, and the driver of the database is large.
    const { runningInstallation } = await import('../../start/running-installation.ts');
    const args = [
      ...(checkpoints === undefined ? [] : ['--checkpoints', checkpoints]),
      ...(state === undefined ? [] : ['--state', state]),
      ...keys.flatMap((key) => ['--key', key]),
      ...(json ? ['--json'] : []),
    ];
    await replaceProcess('core', ['verify-ledgers', ...args], runningInstallation(withSecrets(process.env)));
  },
});
