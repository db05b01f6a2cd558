import { REKEY_SERVICE_ACCOUNT, SERVICE_ACCOUNTS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { serviceAccountId } from './people.ts';
import { presentServiceAccount, presentServiceAccountWithKey } from './service-accounts.presenter.ts';
import { ServiceAccountsReader } from './service-accounts.reader.ts';
import { ServiceAccountsService } from './service-accounts.service.ts';

/**
 * Members may change the accounts that they own if they may create accounts. The service requires more for other
 * accounts.
 */
export const ServiceAccountsController = resourceController(
  SERVICE_ACCOUNTS,
  { reader: ServiceAccountsReader, accounts: ServiceAccountsService },
  ({ reader, accounts }) => ({
    readKey: (path) => serviceAccountId(path.id),
    sortedBy: ['user.name', 'id'],
    list: ({ caller, query }) => reader.page(caller.organizationId, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller.organizationId, key, snapshotReader),
    create: ({ caller, input }) => accounts.create(caller, input),
    change: ({ caller, key, input, precondition }) => accounts.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => accounts.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentServiceAccount(row, links),
    presentCreated: (serviceAccountWithKey, { links }) => presentServiceAccountWithKey(serviceAccountWithKey, links),
  }),
);

export const ServiceAccountKeysController = actionController(
  'ServiceAccountKeysController',
  { rekey: REKEY_SERVICE_ACCOUNT },
  { accounts: ServiceAccountsService },
  ({ accounts, unitOfWork }) => ({
    rekey: async ({ call, caller, path, input }) => {
      const { result, revision } = await unitOfWork.run(accounts.rekey(caller, serviceAccountId(path.id), input));
      call.reply.header('cache-control', 'no-store');
      return sendJson(call, revision, presentServiceAccountWithKey(result, call.links));
    },
  }),
);
