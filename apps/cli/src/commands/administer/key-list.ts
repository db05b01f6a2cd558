import type { ServiceAccount } from '@strata/contract';
import { readRows } from '../../api/pages.ts';
import { contextOf } from '../../core/context.ts';
import { defineCommand, optional } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
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
    const { client } = await contextOf(options);
    const { results } = await readRows<ServiceAccount>(client, 'serviceaccounts/');
    const accounts = results.filter(({ user }) => name === undefined || user.name === name);
    if (name !== undefined && accounts.length === 0)
      throw new CommandError(EXIT.notFound, `The service account "${name}" does not exist.`, {
        hint: '`strata service-account list` lists them.',
      });
    const keys = accounts.flatMap(({ user, keys = [] }) => keys.map((key) => ({ account: user.name, ...key })));
    if (options.json) return printJson(keys.map(({ account, ...key }) => ({ service_account: account, ...key })));
    if (keys.length === 0) return note('There are no keys.');
    const rows = keys.map((key) => [
      ...[key.account ?? '', key.prefix, key.created, key.expiry_date ?? 'never'],
      key.revoked ? 'revoked' : key.has_expired ? 'expired' : 'active',
    ]);
    printTable(['SERVICE ACCOUNT', 'PREFIX', 'CREATED', 'EXPIRES', 'STATE'], rows);
  },
});
