import { defineCommand, flagOption } from '../../core/define-command.ts';
import { printJson, printNote } from '../../core/output.ts';
import { readCurrentAddress, readProfiles } from '../../core/sign-ins.ts';
import { printTable } from '../../render/table.ts';

/** Lists the profiles. */
export const command = defineCommand({
  description: 'list the profiles with their addresses, and which one commands use by default',
  options: { json: flagOption('--json', 'print JSON, errors too') },
  run(_, { json }) {
    const selectedAddress = readCurrentAddress(process.env);
    const profiles = [...readProfiles(process.env)].map(([name, url]) => ({
      name,
      url,
      is_default: url === selectedAddress,
    }));
    if (json) return printJson(profiles);
    if (profiles.length === 0)
      return printNote('There are no profiles. Create one with `strata login --profile <name>`.');
    const rows = profiles.map(({ name, url, is_default: isDefault }) => [name, url, isDefault ? 'yes' : '']);
    printTable(['PROFILE', 'ADDRESS', 'DEFAULT'], rows);
  },
});
