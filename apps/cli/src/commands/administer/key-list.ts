import type { ApiKey, ServiceAccount } from '@strata/contract';
import { formatCount, KEY_SCOPES } from '@strata/domain';
import { NounObjects } from '../../api/noun-objects.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, optionalArgument } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Lists the keys of service accounts, without their secrets. */
export const command = defineCommand({
  description: 'list the keys of service accounts, without their secrets',
  arguments: { name: optionalArgument('name of a service account (default: all)') },
  options: URL_OPTIONS,
  examples: ['strata key list'],
  async run({ name }, options) {
    const { client } = await loadContext(options);
    const objects = NounObjects.called('service-account', client);
    const rows = name === undefined ? (await objects.list()).rows : [await objects.find([name])];
    const accounts = rows as unknown as readonly ServiceAccount[];
    const keys = accounts.flatMap(({ user, keys = [] }) => keys.map((key) => ({ account: user.name, ...key })));
    if (options.json) return printJson(keys.map(({ account, ...key }) => ({ service_account: account, ...key })));
    if (keys.length === 0) return printNote('There are no keys.');
    const cells = keys.map((key) => [
      ...[toOneLine(key.account ?? ''), key.prefix, key.created, key.expiry_date ?? 'never'],
      ...[describeLimits(key), describeLastUse(key)],
      key.revoked ? 'revoked' : key.has_expired ? 'expired' : 'active',
    ]);
    printTable(['SERVICE ACCOUNT', 'PREFIX', 'CREATED', 'EXPIRES', 'SCOPES', 'LAST USE', 'STATE'], cells);
  },
});

function describeLimits({ scopes, projects, environments }: ApiKey): string {
  const isEverything = scopes.length === KEY_SCOPES.length && projects === null && environments === null;
  if (isEverything) return 'all';
  const places = [
    ...(projects === null ? [] : [formatCount(projects.length, 'project')]),
    ...(environments === null ? [] : [formatCount(environments.length, 'environment')]),
  ];
  return [scopes.join(','), ...places].join('; ');
}

function describeLastUse({ last_read_at: read, last_write_at: write, last_reveal_at: reveal }: ApiKey): string {
  const uses = Object.entries({ read, write, reveal }).flatMap(([scope, at]) => (at === null ? [] : { scope, at }));
  const [lastUse] = uses.toSorted((left, right) => (left.at < right.at ? 1 : -1));
  return lastUse ? `${lastUse.scope} ${lastUse.at}` : 'never';
}
