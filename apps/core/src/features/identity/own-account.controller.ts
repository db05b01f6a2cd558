import {
  type CallerAbilities,
  CHANGE_OWN_ACCOUNT,
  CHANGE_PASSWORD,
  END_TOKENS,
  READ_ABILITIES,
  READ_SIGN_IN_METHODS,
} from '@strata/contract';
import { abilitiesOnScope, listAbilities, mayReveal, type Permissions } from '@strata/domain';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendTagged } from '../../platform/http/conditional-requests.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { OwnAccount } from './own-account.service.ts';
import { presentCaller } from './people.ts';
import { UsersReader } from './users.reader.ts';

export const OwnAccountController = actionController(
  'OwnAccountController',
  {
    abilities: READ_ABILITIES,
    signInMethods: READ_SIGN_IN_METHODS,
    change: CHANGE_OWN_ACCOUNT,
    changePassword: CHANGE_PASSWORD,
    endTokens: END_TOKENS,
  },
  { account: OwnAccount, users: UsersReader },
  ({ account, users }) => ({
    abilities: async ({ call, caller }) => sendTagged(call, JSON.stringify(abilitiesOfCaller(caller))),
    signInMethods: async ({ call, caller }) => sendTagged(call, JSON.stringify(await account.signInMethods(caller))),
    change: async ({ call, caller, input }) => {
      await account.changeName(caller, input.name);
      const { row, revision } = await users.readOne(caller.organizationId, caller.id);
      return sendJson(call, revision, presentCaller(row, call));
    },
    changePassword: ({ call, caller, input }) => account.changePassword(caller, input, call.reply.request.ip),
    endTokens: ({ caller }) => account.endTokens(caller),
  }),
);

function abilitiesOfCaller(permissions: Permissions): CallerAbilities {
  const { role, scopes } = permissions;
  return {
    role,
    abilities: [...listAbilities(permissions)],
    reveals_secrets: mayReveal(permissions),
    scopes: [...scopes.keys()].map((scope) => ({ scope, abilities: [...abilitiesOnScope(permissions, scope)] })),
  };
}
