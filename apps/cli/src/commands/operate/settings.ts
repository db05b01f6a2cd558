import { defineCommand } from '../../core/define-command.ts';
import { listSettings } from './settings/list-settings.ts';

/** Lists the settings of all processes. */
export const command = defineCommand({
  description: 'list the settings of all processes with their defaults',
  run: async () => console.log(await listSettings()),
});
