import { readRequests } from '../../api/access-requests.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Lists requests for access. */
export const command = defineCommand({
  description: 'list your requests for access, and those that you may decide',
  options: URL_OPTIONS,
  examples: ['strata access requests'],
  async run(_, options) {
    const { client } = await loadContext(options);
    const requests = await readRequests(client);
    if (options.json) return printJson(requests);
    if (requests.length === 0) return printNote('There are no requests.');
    const cells = requests.map(({ id, requester, scope, role, state, message, ...request }) => [
      ...[id, toOneLine(requester), scope === null ? 'secrets' : toOneLine(scope), role ?? 'reveal', state],
      ...[request.expires_at ?? `${request.duration_minutes}m`, toOneLine(message)],
    ]);
    printTable(['REQUEST', 'USER', 'SCOPE', 'ROLE', 'STATE', 'ENDS', 'MESSAGE'], cells);
  },
});
