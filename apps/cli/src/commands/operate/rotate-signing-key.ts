import { defineCommand, flagOption } from '../../core/define-command.ts';
import { OperatorError } from '../../core/secret-settings.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Replaces the key with which Strata signs tokens. */
export const command = defineCommand({
  description: 'replace the key that signs tokens of people, in 10 minutes and without invalidating tokens',
  options: {
    revoke: flagOption('--revoke', 'the key has leaked: replace it at once, and reject all tokens that it has signed'),
    yes: flagOption('--yes', 'confirm it'),
  },
  async run(_, { revoke, yes }) {
    if (!yes) throw new OperatorError('This replaces the key that signs tokens. Add --yes to confirm it.');
    const commandLine = ['rotate-signing-key', ...(revoke ? ['--revoke'] : [])];
    await replaceWithOperatorCommand(commandLine);
  },
});
