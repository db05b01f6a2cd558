import { LINT } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { Lint } from './lint.ts';

/** Results, their members and their contents are serialized one by one. */
const DEPTH = 3;

export const LintController = actionController(
  'lint controller',
  { lint: LINT },
  { answers: ResponseCache, lint: Lint },
  ({ answers, lint }) => ({
    lint: ({ call }) => answers.send(call, (headNow) => lint.find(call, headNow), DEPTH),
  }),
);
