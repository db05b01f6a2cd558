import { queryOptions } from '@tanstack/react-query';
import {
  ExplainCell,
  type ExplainCellQuery,
  ParameterHistory,
  RevealValue,
  SinceWhen,
} from '../graphql/explain.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { queryKeys } from './query-keys.ts';

export type CellExplanation = NonNullable<ExplainCellQuery['explain']>;

/** The parameter name, the environment and the point in time to explain. */
export interface CellLocation {
  readonly projectId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly moment: MomentArgs;
}

export const explanationKeys = queryKeys('explanation', { onAnyChange: true }, (all) => ({
  whole: (place: object, moment: MomentArgs) => [...all, 'whole', place, moment],
  history: (projectId: string, parameterId: string, moment: MomentArgs) => [
    ...all,
    'history',
    projectId,
    parameterId,
    moment,
  ],
  since: (place: object, moment: MomentArgs, version: string | null) => [...all, 'since', place, moment, version],
}));

export const explanationQuery = ({ moment, ...place }: CellLocation) =>
  queryOptions({
    queryKey: explanationKeys.whole(place, moment),
    queryFn: async ({ signal }) => (await requestGraphql(ExplainCell, { ...place, ...moment }, signal)).explain,
  });

/** The query for the changes of a parameter, newest first. */
export const historyQuery = ({ projectId, moment }: CellLocation, parameterId: string) =>
  queryOptions({
    queryKey: explanationKeys.history(projectId, parameterId, moment),
    queryFn: async ({ signal }) =>
      (await requestGraphql(ParameterHistory, { projectId, parameterId, ...moment }, signal)).parameter?.timeline
        ?.results ?? [],
  });

/** The location and the point in time of a secret value. */
export interface SecretLocation {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environment: string;
  readonly moment: MomentArgs;
}

/**
 * Returns the parameter with its secret in plain text; null if it does not exist. The core audits the request. The result is not cached.
 */
export async function revealedParameter(cell: SecretLocation, signal: AbortSignal) {
  const { projectId, parameterId, environment, moment } = cell;
  return (await requestGraphql(RevealValue, { projectId, parameterId, environment, ...moment }, signal)).parameter;
}

/** The query for the time and the author of the last change that affected a cell. Another version of its value is another query. */
export const lastChangeQuery = ({ moment, ...place }: CellLocation, version: string | null) =>
  queryOptions({
    queryKey: explanationKeys.since(place, moment, version),
    queryFn: async ({ signal }) =>
      (await requestGraphql(SinceWhen, { ...place, ...moment }, signal)).explain?.since ?? null,
  });
