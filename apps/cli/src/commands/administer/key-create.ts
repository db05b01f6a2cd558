import { NounObjects, readMemberAt } from '../../api/noun-objects.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flagOption, requiredArgument, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { confirm } from '../../core/prompt.ts';

/** Creates a key of a service account, which replaces its previous one. */
export const command = defineCommand({
  description: 'create a key of a service account, which replaces its previous key after a confirmation',
  arguments: { name: requiredArgument('name of the service account') },
  options: {
    ...URL_OPTIONS,
    expireAt: textOption('--expire-at <time>', 'when the key expires (default: never)'),
    yes: flagOption('-y, --yes', 'replace the key without a confirmation'),
  },
  async run({ name }, options) {
    const { client } = await loadContext(options);
    const account = await NounObjects.called('service-account', client).find([name]);
    const title = String(readMemberAt(account, 'user.name'));
    const question = `The present key of ${toOneLine(title)} stops working. Replace it?`;
    if (!options.yes && !(await confirm(question, 'Add --yes to replace it without a confirmation.')))
      throw new CommandError(EXIT.failed, 'Nothing was changed.');
    const body = options.expireAt === undefined ? {} : { expire_at: options.expireAt };
    const request = { path: { id: account.id }, body };
    const { apikey } = await client.call('serviceaccounts_rekey_create', request, { isWrite: true });
    if (options.json) return printJson({ service_account: title, apikey });
    printNote(`Created a key of the service account ${toOneLine(title)}. Strata shows it only once:`);
    print(apikey);
  },
});
