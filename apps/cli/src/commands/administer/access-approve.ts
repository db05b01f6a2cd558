import { decideRequest } from '../../api/access-requests.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredArgument, textOption } from '../../core/define-command.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printRequest } from '../../render/access-requests.ts';

/** Approves a request for access. */
export const command = defineCommand({
  description: 'approve a request for access; it begins now',
  arguments: { request: requiredArgument('id of the request, from `strata access requests`') },
  options: { ...URL_OPTIONS, message: textOption('-m, --message <text>', 'the reason; the history shows it') },
  async run({ request }, options) {
    const { client } = await loadContext(options);
    printRequest(await decideRequest(client, 'approve', request, options.message ?? ''), options);
  },
});
