import { defineCommand, flagOption } from '../../core/define-command.ts';
import { OperatorError } from '../../core/secret-settings.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Signs out everybody. */
export const command = defineCommand({
  description: 'sign out everybody: end all sessions and tokens, but no API keys',
  options: { yes: flagOption('--yes', 'confirm it') },
  async run(_, { yes }) {
    if (!yes) throw new OperatorError('This signs out all people in all organizations. Add --yes to confirm it.');
    await replaceWithOperatorCommand(['end-sessions']);
  },
});
