import type { PatternMatcher, Rule } from '@strata/domain';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { builtInRules, findValueRules, type ValueRules } from '../lib/value-rules.ts';
import { loadPatterns, type NameTest } from './name-pattern.ts';
import { queryKeys } from './query-keys.ts';
import { parameterRulesQuery, typesQuery } from './types.ts';

/** The type of the values, and the parameter with rules of its own; null if there is none, as for a new parameter. */
export interface RulesTarget {
  readonly type: string;
  readonly parameter: { readonly projectId: string; readonly name: string } | null;
}

const valueRulesKeys = queryKeys('value_rules', { onAnyChange: true }, (all) => ({
  of: ({ type, parameter }: RulesTarget) => [...all, type, parameter],
}));

/** The query for the rules with which texts are checked in the browser while the user types; null if the type was deleted. */
export const valueRulesQuery = (client: QueryClient, target: RulesTarget) =>
  queryOptions({
    queryKey: valueRulesKeys.of(target),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: builtInRules(target.type),
    queryFn: async (): Promise<ValueRules | null> => {
      const { type, parameter } = target;
      const [types, parameterRules] = await Promise.all([
        client.fetchQuery(typesQuery({})),
        parameter && client.fetchQuery(parameterRulesQuery(parameter.projectId, parameter.name, {})),
      ]);
      const rules = [...types.flatMap((valueType) => valueType.rules), ...(parameterRules?.rules ?? [])];
      return findValueRules({ types, type, parameter: parameterRules ?? undefined, matches: await matcherFor(rules) });
    },
  });

/** Returns a matcher for the patterns of rules. The engine is only loaded if there are any. */
async function matcherFor(rules: readonly Rule[]): Promise<PatternMatcher> {
  if (rules.every(({ kind }) => kind !== 'regex')) return () => true;
  const compile = await loadPatterns();
  const tests = new Map<string, NameTest>();
  return (pattern, text) => {
    const testText = tests.get(pattern) ?? compile(pattern);
    tests.set(pattern, testText);
    return testText(text);
  };
}
