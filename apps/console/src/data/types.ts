import { RULE_KINDS } from '@strata/domain';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages, requestGraphql } from '../graphql/request.ts';
import { ParametersOfType, RulesOfParameter, Types, type TypesQuery, TypeUses } from '../graphql/types.graphql.ts';
import type { MomentArgs } from '../lib/moment.ts';
import type { StoredRule, StoredType } from '../lib/type-tree.ts';
import { queryKeys } from './query-keys.ts';

type ToldRule = TypesQuery['types']['edges'][number]['node']['rules'][number];
/** Sorts the minimum before the maximum. */
const asRules = (told: readonly ToldRule[]): readonly StoredRule[] =>
  told
    .map(({ type: kind, ...rule }) => ({ kind, ...rule }))
    .sort((one, other) => RULE_KINDS.indexOf(one.kind) - RULE_KINDS.indexOf(other.kind));

export const typeKeys = queryKeys('type', { on: ['type'] }, (all) => ({
  list: (moment: MomentArgs) => [...all, 'list', moment],
  usage: [...all, 'usage'],
  parameters: (id: string, after: string | null) => [...all, 'parameters', id, after],
}));

export const ruleKeys = queryKeys('parameter_rules', { onAnyChange: true }, (all) => ({
  ofParameter: (projectId: string, name: string, moment: MomentArgs) => [...all, projectId, name, moment],
}));

/** Returns all types of the organization. There are few, and each page needs the parents of its type. */
export const typesQuery = (moment: MomentArgs) =>
  queryOptions({
    queryKey: typeKeys.list(moment),
    queryFn: async ({ signal }): Promise<readonly StoredType[]> => {
      const types = await allPages(async (after) => (await requestGraphql(Types, { after, ...moment }, signal)).types);
      return types.map(({ rules, ...type }) => ({
        ...type,
        parentId: type.parentId ?? null,
        rules: asRules(rules),
      }));
    },
  });

/** Returns the number of parameters of each type by its id; types without parameters are omitted. */
export const typeUsageQuery = queryOptions({
  queryKey: typeKeys.usage,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
    const { typeUsage } = await requestGraphql(TypeUses, {}, signal);
    return new Map(typeUsage?.results.map(({ typeId, parameterCount }) => [typeId, parameterCount]));
  },
});

/** The rows of a page of parameters. */
const PARAMETERS = 50;

export const parametersOfTypeQuery = (id: string, after: string | null) =>
  queryOptions({
    queryKey: typeKeys.parameters(id, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(ParametersOfType, { id, first: PARAMETERS, after }, signal)).parametersOfType,
  });

/** Reads a parameter with the rules that are set on it; null if it does not exist. Every change event refreshes it. */
export const parameterRulesQuery = (projectId: string, name: string, moment: MomentArgs) =>
  queryOptions({
    queryKey: ruleKeys.ofParameter(projectId, name, moment),
    queryFn: async ({ signal }) => {
      const { project } = await requestGraphql(RulesOfParameter, { projectId, name, ...moment }, signal);
      const found = project?.parameters.edges[0]?.node;
      return found ? { ...found, rules: asRules(found.rules) } : null;
    },
  });
