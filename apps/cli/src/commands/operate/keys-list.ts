import { defineCommand, flagOption } from '../../core/define-command.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Shows the root keys of an installation. */
export const command = defineCommand({
  description: 'list the root keys of an installation by their fingerprints, and the progress of their rotation',
  options: { json: flagOption('--json', 'print JSON') },
  async run(_, { json }) {
    const args = ['list-keys', ...(json ? ['--json'] : [])];
    await replaceWithOperatorCommand(args);
  },
});
