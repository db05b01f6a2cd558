import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { requestGraphql } from '../graphql/request.ts';
import {
  CreateTrustRule,
  type CreateTrustRuleMutationVariables,
  DeleteTrustRule,
  TrustRules,
  type TrustRulesQuery,
} from '../graphql/trust-rules.graphql.ts';
import { queryKeys } from './query-keys.ts';

type RulesOfAccount = NonNullable<TrustRulesQuery['serviceAccount']>['trustRules'];
export type ListedTrustRule = RulesOfAccount['edges'][number]['node'];

export const trustRuleKeys = queryKeys('trust_rule', { on: ['service_account'] }, (all) => ({
  of: (account: string) => [...all, account],
}));

/** The trust rules of a service account; null if the account was deleted. */
export const trustRulesQuery = (account: string) =>
  queryOptions({
    queryKey: trustRuleKeys.of(account),
    queryFn: async ({ signal }) => {
      const { serviceAccount } = await requestGraphql(TrustRules, { account }, signal);
      return serviceAccount?.trustRules.edges.map(({ node }) => node) ?? null;
    },
  });

export async function createTrustRule(input: CreateTrustRuleMutationVariables['input']): Promise<void> {
  requireSaved((await requestGraphql(CreateTrustRule, { input })).createTrustRule);
}

export async function deleteTrustRule(account: string, { id }: ListedTrustRule): Promise<void> {
  requireSaved((await requestGraphql(DeleteTrustRule, { account, id })).deleteTrustRule);
}

/** Reads lines such as `repository_id=74`. A line without an equals sign is a claim with an empty text. */
export const parseClaims = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [name = '', ...rest] = line.split('=');
        return [name.trim(), rest.join('=').trim()];
      }),
  );
