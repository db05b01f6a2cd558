import { accountOutput } from '../../api/sessions.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { SCOPE_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';

/** Prints the account of the credential, and what the other commands would use. */
export const command = defineCommand({
  description: 'print the account, the address and the selected project and environment',
  options: SCOPE_OPTIONS,
  examples: ['strata whoami'],
  async run(_, { json, ...options }) {
    const context = await loadContext(options);
    const user = await context.client.call('users_current_retrieve');
    const { selectedProject, selectedEnvironment } = context;
    if (json) {
      const selection = { project: selectedProject, environment: selectedEnvironment };
      return printJson({ url: context.client.url, ...accountOutput(user), ...selection });
    }
    const rows: readonly (readonly [string, string | null])[] = [
      ['Address', context.client.url],
      ['Account', `${user.name} (${user.type === 'service' ? 'service account' : user.email})`],
      ['Organization', user.organization_name],
      ['Role', user.role],
      ['Project', selectedProject ?? 'none selected'],
      ['Environment', selectedEnvironment ?? 'none selected'],
    ];
    print(rows.map(([title, text]) => `${title.padEnd(13)} ${toOneLine(text ?? '')}`).join('\n'));
  },
});
