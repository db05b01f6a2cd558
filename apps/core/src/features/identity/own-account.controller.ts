import { type CallerAbilities, CHANGE_PASSWORD, END_TOKENS, READ_ABILITIES } from '@strata/contract';
import { abilitiesOf, abilitiesOnScope, mayReveal, type Permissions } from '@strata/domain';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendTagged } from '../../platform/http/conditional.ts';
import { OwnAccount } from './own-account.service.ts';

export const OwnAccountController = actionController(
  'OwnAccountController',
  { abilities: READ_ABILITIES, changePassword: CHANGE_PASSWORD, endTokens: END_TOKENS },
  { account: OwnAccount },
  ({ account }) => ({
    abilities: async ({ call, caller }) => sendTagged(call, JSON.stringify(abilitiesOfCaller(caller))),
    changePassword: ({ call, caller, input }) => account.changePassword(caller, input, call.reply.request.ip),
    endTokens: ({ caller }) => account.endTokens(caller),
  }),
);

function abilitiesOfCaller(permissions: Permissions): CallerAbilities {
  const { role, scopes } = permissions;
  return {
    role,
    abilities: [...abilitiesOf(role)],
    reveals_secrets: mayReveal(permissions),
    scopes: [...scopes.keys()].map((scope) => ({ scope, abilities: [...abilitiesOnScope(permissions, scope)] })),
  };
}
