import { defineCommand } from '../../core/define-command.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Continues the pushes that wait since a restore. */
export const command = defineCommand({
  description: 'let integrations push again after a restore',
  async run() {
    await replaceWithOperatorCommand(['continue-pushes']);
  },
});
