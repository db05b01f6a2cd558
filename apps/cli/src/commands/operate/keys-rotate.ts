import { defineCommand, flagOption, textOption } from '../../core/define-command.ts';
import { OperatorError } from '../../core/secret-settings.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Replaces the root key, or creates new data keys. */
export const command = defineCommand({
  description: 'replace the root key by STRATA_ROOT_KEY, or create new data keys for later secrets',
  options: {
    dataKeys: flagOption('--data-keys', 'create a new data key for each organization instead'),
    organization: textOption('--organization <id>', 'only for this organization; requires --data-keys'),
  },
  async run(_, { dataKeys, organization }) {
    if (organization !== undefined && !(dataKeys && UUID.test(organization)))
      throw new OperatorError('--organization must be the id of an organization, and requires --data-keys.');
    const args = dataKeys ? ['rotate-data-keys', ...(organization ? [organization] : [])] : ['rotate-root-key'];
    await replaceWithOperatorCommand(args);
  },
});
