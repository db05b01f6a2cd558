import { RULE_KINDS } from '@strata/domain';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { ParametersOfType, RulesOfParameter, Types, type TypesQuery, TypeUses } from '../graphql/types.graphql.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import type { StoredRule, StoredType } from '../lib/type-tree.ts';
import { queryKeys } from './query-keys.ts';

type ToldRule = TypesQuery['types']['edges'][number]['node']['rules'][number];
/** Sorts rules so that the minimum comes before the maximum. */
const asRules = (rules: readonly ToldRule[]): readonly StoredRule[] =>
  rules
    .map(({ type: kind, ...rule }) => ({ kind, ...rule }))
    .sort((left, right) => RULE_KINDS.indexOf(left.kind) - RULE_KINDS.indexOf(right.kind));

export const typeKeys = queryKeys('type', { on: ['type'] }, (all) => ({
  list: (pointInTime: PointInTimeArgs) => [...all, 'list', pointInTime],
  usage: [...all, 'usage'],
  parameters: (id: string, after: string | null) => [...all, 'parameters', id, after],
}));

export const ruleKeys = queryKeys('parameter_rules', { onAnyChange: true }, (all) => ({
  ofParameter: (projectId: string, name: string, pointInTime: PointInTimeArgs) => [
    ...all,
    projectId,
    name,
    pointInTime,
  ],
}));

/** The query for all types of the organization, without pages because there are few and each page needs all base types. */
export const typesQuery = (pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: typeKeys.list(pointInTime),
    queryFn: async ({ signal }): Promise<readonly StoredType[]> => {
      const types = await readAllPages(
        async (after) => (await requestGraphql(Types, { after, ...pointInTime }, signal)).types,
      );
      return types.map(({ rules, ...type }) => ({
        ...type,
        parentId: type.parentId ?? null,
        rules: asRules(rules),
      }));
    },
  });

/** The query for the number of parameters by type id. Types without parameters are omitted. */
export const typeUsageQuery = queryOptions({
  queryKey: typeKeys.usage,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
    const { typeUsage } = await requestGraphql(TypeUses, {}, signal);
    return new Map(typeUsage?.results.map(({ typeId, parameterCount }) => [typeId, parameterCount]));
  },
});

/** The number of parameters per page. */
const PARAMETERS = 50;

export const parametersOfTypeQuery = (id: string, after: string | null) =>
  queryOptions({
    queryKey: typeKeys.parameters(id, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(ParametersOfType, { id, first: PARAMETERS, after }, signal)).parametersOfType,
  });

/** The query for a parameter with its own rules; null if it does not exist. */
export const parameterRulesQuery = (projectId: string, name: string, pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: ruleKeys.ofParameter(projectId, name, pointInTime),
    queryFn: async ({ signal }) => {
      const { project } = await requestGraphql(RulesOfParameter, { projectId, name, ...pointInTime }, signal);
      const parameter = project?.parameters.edges[0]?.node;
      return parameter ? { ...parameter, rules: asRules(parameter.rules) } : null;
    },
  });
