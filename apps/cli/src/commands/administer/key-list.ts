import type { ServiceAccount } from '@strata/contract';
import { NounObjects } from '../../api/noun-objects.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, optional } from '../../core/define-command.ts';
import { oneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { note, printJson } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Lists the keys of service accounts, without their secrets. */
export const command = defineCommand({
  description: 'list the keys of service accounts, without their secrets',
  arguments: { name: optional('name of a service account (default: all)') },
  options: URL_OPTIONS,
  examples: ['strata key list'],
  async run({ name }, options) {
    const { client } = await loadContext(options);
    const objects = NounObjects.called('service-account', client);
    const rows = name === undefined ? (await objects.list()).rows : [await objects.find([name])];
    const accounts = rows as unknown as readonly ServiceAccount[];
    const keys = accounts.flatMap(({ user, keys = [] }) => keys.map((key) => ({ account: user.name, ...key })));
    if (options.json) return printJson(keys.map(({ account, ...key }) => ({ service_account: account, ...key })));
    if (keys.length === 0) return note('There are no keys.');
    const cells = keys.map((key) => [
      ...[oneLine(key.account ?? ''), key.prefix, key.created, key.expiry_date ?? 'never'],
      key.revoked ? 'revoked' : key.has_expired ? 'expired' : 'active',
    ]);
    printTable(['SERVICE ACCOUNT', 'PREFIX', 'CREATED', 'EXPIRES', 'STATE'], cells);
  },
});
