import { defineCommand, flagOption } from '../../core/define-command.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Creates or updates the schema of the database. */
export const command = defineCommand({
  description: 'create or update the schema of the database, and exit',
  options: {
    enforce: flagOption('--enforce', 'enforce row-level security; no core of an earlier release may run'),
  },
  async run(_, { enforce }) {
    const args = ['migrate', ...(enforce ? ['--enforce'] : [])];
    await replaceWithOperatorCommand(args);
  },
});
