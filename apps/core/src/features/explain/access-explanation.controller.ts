import { EXPLAIN_ACCESS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { presentListPage } from '../../platform/http/page.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import { AccessExplanations } from './access-explanations.ts';

export const AccessExplanationController = actionController(
  'AccessExplanationController',
  { explain: EXPLAIN_ACCESS },
  { explanations: AccessExplanations },
  ({ explanations }) => ({
    explain: async ({ call }) => {
      const { query, page } = await explanations.find(call);
      const body = presentListPage(call, query, page, (row) => row, EXPLAIN_ACCESS.sortedBy);
      return sendLongJson(call, page.revision, body);
    },
  }),
);
