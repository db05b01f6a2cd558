import { CHANGE_SIGN_IN_POLICY, READ_SIGN_IN_POLICY, type SignInPolicy } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendTagged } from '../../platform/http/conditional-requests.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { SignInPolicies } from './sign-in-policy.ts';

export const SignInPolicyController = actionController(
  'SignInPolicyController',
  { read: READ_SIGN_IN_POLICY, change: CHANGE_SIGN_IN_POLICY },
  { policies: SignInPolicies },
  ({ policies }) => ({
    read: async ({ call, caller, path }) =>
      sendTagged(call, JSON.stringify(await policies.read(caller, path.id ?? ''))),
    change: {
      command: ({ caller, path, input }) => policies.change(caller, path.id ?? '', input),
      answer: ({ call }, { result, revision }: WriteResult<SignInPolicy>) => sendJson(call, revision, result),
    },
  }),
);
