import { EVALUATE_FLAG, EVALUATE_FLAGS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import type { PathParameters } from '../../platform/http/operation-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Flags } from './flags.ts';

export const OfrepController = actionController(
  'OfrepController',
  { evaluateAll: EVALUATE_FLAGS, evaluate: EVALUATE_FLAG },
  { flags: Flags },
  ({ flags }) => ({
    evaluateAll: ({ call, path }) => flags.answerAll(call, readScope(path)),
    evaluate: async ({ call, path }) => {
      const { head, flag } = await flags.answerOne(call, readScope(path), path.key ?? '');
      return sendJson(call, head.revision, flag);
    },
  }),
);

const readScope = ({ project = '', environment = '' }: PathParameters) => ({ project, environment });
