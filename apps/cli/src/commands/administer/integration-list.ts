import { readIntegrations } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Lists the integrations with their connections. */
export const command = defineCommand({
  description: 'list integrations, and whether their connections work',
  options: URL_OPTIONS,
  examples: ['strata integration list'],
  async run(_, options) {
    const { client } = await loadContext(options);
    const integrations = await readIntegrations(client);
    if (options.json) return printJson(integrations.map(({ path: _path, url: _url, ...row }) => row));
    if (integrations.length === 0) return printNote('There are no integrations.');
    const cells = integrations.map(({ name, type, status, writable, status_detail: detail }) => [
      ...[toOneLine(name), type, status, writable ? 'yes' : 'no'],
      status === 'errored' ? toOneLine(detail) : '',
    ]);
    printTable(['NAME', 'TYPE', 'STATUS', 'WRITABLE', 'DETAIL'], cells);
  },
});
