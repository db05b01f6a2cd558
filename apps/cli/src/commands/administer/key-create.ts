import { KEY_SCOPES } from '@strata/domain';
import { describeExpiry, proposedExpiry } from '../../api/key-expiry.ts';
import { NounObjects, readMemberAt } from '../../api/noun-objects.ts';
import type { Client } from '../../core/client.ts';
import { loadContext } from '../../core/context.ts';
import {
  choices,
  defineCommand,
  flagOption,
  names,
  type OptionValues,
  requiredArgument,
  textOption,
} from '../../core/define-command.ts';
import { parseSeconds } from '../../core/duration.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { confirm } from '../../core/prompt.ts';

const KEY_OPTIONS = {
  scope: choices(
    '--scope <name>',
    'what the key permits, of the rights of the account; repeatable (default: everything)',
    KEY_SCOPES,
  ),
  project: names('--project <name>', 'limits the key to the contents of a project; repeatable'),
  environment: names('--environment <name>', 'limits the key to the values of an environment; repeatable'),
  expires: textOption('--expires <duration>', 'when the key expires, such as 30d, or never (default: 90d)', {
    conflicts: ['expireAt'],
  }),
  expireAt: textOption('--expire-at <time>', 'when the key expires, as a time'),
  overlap: textOption('--overlap <duration>', 'how long previous keys remain valid, such as 1h (default: not at all)'),
};

/** Creates a key of a service account, which replaces its previous one. */
export const command = defineCommand({
  description: 'create a key of a service account, which replaces its previous key after a confirmation',
  arguments: { name: requiredArgument('name of the service account') },
  options: { ...URL_OPTIONS, ...KEY_OPTIONS, yes: flagOption('-y, --yes', 'replace the key without a confirmation') },
  examples: ['strata key create ci --scope read --expires 30d --overlap 1h --yes'],
  async run({ name }, { url, profile, json, yes, ...options }) {
    const { client } = await loadContext({ url, profile, json });
    const account = await NounObjects.called('service-account', client).find([name]);
    const title = String(readMemberAt(account, 'user.name'));
    const body = await createBody(client, options);
    const end = options.overlap === undefined ? 'stops working' : `stops working in ${toOneLine(options.overlap)}`;
    const question = `The present key of ${toOneLine(title)} ${end}. Replace it?`;
    if (!yes && !(await confirm(question, 'Add --yes to replace it without a confirmation.')))
      throw new CommandError(EXIT.failed, 'Nothing was changed.');
    const request = { path: { id: account.id }, body };
    const { apikey } = await client.call('serviceaccounts_rekey_create', request, { isWrite: true });
    if (json) return printJson({ service_account: title, apikey, expire_at: body.expire_at });
    const expiry = describeExpiry(body.expire_at);
    if (expiry !== null) printNote(expiry);
    printNote(`Created a key of the service account ${toOneLine(title)}. Strata shows it only once:`);
    print(apikey);
  },
});

async function createBody(client: Client, options: OptionValues<typeof KEY_OPTIONS>) {
  const { scope, project, environment, overlap } = options;
  return {
    expire_at: readExpiry(options),
    ...(overlap !== undefined && { overlap_seconds: parseSeconds('--overlap', overlap) }),
    // Every key reads, so `--scope read` can be left out.
    ...(scope !== undefined && { key_scopes: KEY_SCOPES.filter((name) => name === 'read' || scope.includes(name)) }),
    ...(project !== undefined && { key_projects: await Promise.all(project.map((text) => client.projectId(text))) }),
    ...(environment !== undefined && {
      key_environments: await Promise.all(environment.map((text) => client.environmentId(text))),
    }),
  };
}

function readExpiry({
  expires,
  expireAt,
}: Pick<OptionValues<typeof KEY_OPTIONS>, 'expires' | 'expireAt'>): string | null {
  if (expireAt !== undefined) return expireAt;
  if (expires === 'never') return null;
  if (expires === undefined) return proposedExpiry();
  return new Date(Date.now() + parseSeconds('--expires', expires) * 1_000).toISOString();
}
