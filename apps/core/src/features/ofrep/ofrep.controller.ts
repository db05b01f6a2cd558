import { EVALUATE_FLAG, EVALUATE_FLAGS } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import type { PathParameters } from '../../platform/http/operation-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Flags } from './flags.ts';

export const OfrepController = actionController(
  'OfrepController',
  { all: EVALUATE_FLAGS, one: EVALUATE_FLAG },
  { flags: Flags },
  ({ flags }) => ({
    all: ({ call, path }) => flags.answerAll(call, scopeOf(path)),
    one: async ({ call, path }) => {
      const { head, flag } = await flags.one(call, scopeOf(path), path.key ?? '');
      return sendJson(call, head.revision, flag);
    },
  }),
);

const scopeOf = ({ project = '', environment = '' }: PathParameters) => ({ project, environment });
