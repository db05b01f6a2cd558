import { LIST_UNUSED_ACCESS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { presentListPage } from '../../platform/http/page.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import { UnusedRights } from './unused-rights.ts';

export const UnusedAccessController = actionController(
  'UnusedAccessController',
  { list: LIST_UNUSED_ACCESS },
  { rights: UnusedRights },
  ({ rights }) => ({
    list: async ({ call }) => {
      const { query, page } = await rights.find(call);
      const body = presentListPage(call, query, page, (row) => row, LIST_UNUSED_ACCESS.sortedBy);
      return sendLongJson(call, page.revision, body);
    },
  }),
);
