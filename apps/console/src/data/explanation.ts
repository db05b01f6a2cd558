import { queryOptions } from '@tanstack/react-query';
import {
  ExplainCell,
  type ExplainCellQuery,
  ParameterHistory,
  RevealValue,
  SinceWhen,
} from '../graphql/explain.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { queryKeys } from './query-keys.ts';

export type CellExplanation = NonNullable<ExplainCellQuery['explain']>;

/** The parameter name, the environment and the point in time to explain. */
export interface CellLocation {
  readonly projectId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly pointInTime: PointInTimeArgs;
}

export const explanationKeys = queryKeys('explanation', { onAnyChange: true }, (all) => ({
  whole: (cell: object, pointInTime: PointInTimeArgs) => [...all, 'whole', cell, pointInTime],
  history: (projectId: string, parameterId: string, pointInTime: PointInTimeArgs) => [
    ...all,
    'history',
    projectId,
    parameterId,
    pointInTime,
  ],
  since: (cell: object, pointInTime: PointInTimeArgs, version: string | null) => [
    ...all,
    'since',
    cell,
    pointInTime,
    version,
  ],
}));

export const explanationQuery = ({ pointInTime, ...place }: CellLocation) =>
  queryOptions({
    queryKey: explanationKeys.whole(place, pointInTime),
    queryFn: async ({ signal }) => (await requestGraphql(ExplainCell, { ...place, ...pointInTime }, signal)).explain,
  });

/** The query for the changes of a parameter, newest first. */
export const historyQuery = ({ projectId, pointInTime }: CellLocation, parameterId: string) =>
  queryOptions({
    queryKey: explanationKeys.history(projectId, parameterId, pointInTime),
    queryFn: async ({ signal }) =>
      (await requestGraphql(ParameterHistory, { projectId, parameterId, ...pointInTime }, signal)).parameter?.timeline
        ?.results ?? [],
  });

/** The location and the point in time of a secret value. */
export interface SecretLocation {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environment: string;
  readonly pointInTime: PointInTimeArgs;
}

/**
 * Returns the parameter with its secret in plain text; null if it does not exist. The core audits the request. The result is not cached.
 */
export async function revealedParameter(cell: SecretLocation, signal: AbortSignal) {
  const { projectId, parameterId, environment, pointInTime } = cell;
  return (await requestGraphql(RevealValue, { projectId, parameterId, environment, ...pointInTime }, signal)).parameter;
}

/** The query for the time and the author of the last change that affected a cell. Another version of its value is another query. */
export const lastChangeQuery = ({ pointInTime, ...place }: CellLocation, version: string | null) =>
  queryOptions({
    queryKey: explanationKeys.since(place, pointInTime, version),
    queryFn: async ({ signal }) =>
      (await requestGraphql(SinceWhen, { ...place, ...pointInTime }, signal)).explain?.since ?? null,
  });
