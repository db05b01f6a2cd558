import { CREATE_TRUST_RULE, DELETE_TRUST_RULE, LIST_TRUST_RULES, TrustRule } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import { presentListPage } from '../../platform/http/page.ts';
import { sendJson, sendLongJson, sendRemoved } from '../../platform/http/send-json.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import { serviceAccountId } from './people.ts';
import { type TrustRuleRow, TrustRulesReader } from './trust-rules.reader.ts';
import { TrustRulesService } from './trust-rules.service.ts';

/**
 * Members may change the rules of accounts that they own if they may create accounts. The service requires more for
 * other accounts.
 */
export const TrustRulesController = actionController(
  'TrustRulesController',
  { list: LIST_TRUST_RULES, create: CREATE_TRUST_RULE, remove: DELETE_TRUST_RULE },
  { reader: TrustRulesReader, rules: TrustRulesService },
  ({ reader, rules, unitOfWork }) => ({
    list: async ({ call, caller, path, query }) => {
      const result = await reader.page(caller.organizationId, serviceAccountId(path.serviceaccount_pk), query);
      return sendLongJson(call, result.revision, presentListPage(call, query, result, presentTrustRule));
    },
    create: async ({ call, caller, path, input }) => {
      const { result, revision } = await unitOfWork.run(
        rules.create(caller, serviceAccountId(path.serviceaccount_pk), input),
      );
      return sendJson(call, revision, presentTrustRule(result));
    },
    remove: async ({ call, caller, path }) => {
      const id = pathId('TrustRule', path.id ?? '');
      const { revision } = await unitOfWork.run(rules.remove(caller, serviceAccountId(path.serviceaccount_pk), id));
      return sendRemoved(call, revision);
    },
  }),
);

const presentTrustRule = (row: TrustRuleRow): TrustRule => shapeRow(TrustRule, row, {});
