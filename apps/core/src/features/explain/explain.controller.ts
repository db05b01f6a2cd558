import { EXPLAIN } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { operationController } from '../../platform/http/operation-controller.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { LIST_ITEM_DEPTH } from '../../platform/http/send-json.ts';
import { Explanations } from './explanations.ts';

export const ExplainController = operationController(
  'ExplainController',
  [EXPLAIN],
  { explanations: Explanations, answers: ResponseCache },
  ({ explanations, answers }) => ({
    [EXPLAIN.id]: (call, { id = '' }) =>
      answers.send(call, () => explanations.find(call, pathId('Project', id)), LIST_ITEM_DEPTH),
  }),
);
