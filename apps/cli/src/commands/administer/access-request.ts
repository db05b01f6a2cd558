import { createRequest, findScope } from '../../api/access-requests.ts';
import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, flagOption, requiredText, textOption } from '../../core/define-command.ts';
import { parseMinutes } from '../../core/duration.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printRequest } from '../../render/access-requests.ts';

const ROLES = ['VIEWER', 'CONTRIB', 'ADMIN'] as const;

/** Requests access that ends by itself. */
export const command = defineCommand({
  description: 'request access to a restricted project or environment for a limited time',
  options: {
    ...URL_OPTIONS,
    project: textOption('-p, --project <name>', 'the restricted project'),
    environment: textOption('-e, --environment <name>', 'the restricted environment', { conflicts: ['project'] }),
    role: choice('--role <name>', 'the role that you need (default: CONTRIB)', ROLES),
    reveal: flagOption(
      '--reveal',
      'request the ability to reveal secrets instead; for an ADMIN or OWNER it begins at once (break-glass read)',
      { conflicts: ['project', 'environment', 'role'] },
    ),
    for: requiredText('--for <duration>', 'how long, such as 30m, 2h or 7d'),
    message: requiredText('-m, --message <text>', 'why you need the access; the history shows it'),
  },
  async run(_, options) {
    const { client } = await loadContext({ ...options, project: undefined, environment: undefined });
    const minutes = parseMinutes('--for', options.for);
    const right = options.reveal
      ? { reveal: true }
      : { reveal: false, scope: await findScope(client, options), role: options.role ?? 'CONTRIB' };
    const request = await createRequest(client, {
      ...right,
      duration_minutes: minutes,
      message: options.message,
    });
    printRequest(request, options);
  },
});
