import { queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { ExplainCell, type ExplainCellQuery, ParameterHistory } from '../graphql/explain.graphql.ts';
import type { ExplainedPlace } from './since.ts';

export type Explained = NonNullable<ExplainCellQuery['explain']>;

export const explanationQuery = ({ moment, ...place }: ExplainedPlace) =>
  queryOptions({
    queryKey: ['explain', 'whole', place, moment],
    queryFn: async ({ signal }) => (await ask(ExplainCell, { ...place, ...moment }, signal)).explain,
  });

/** What happened to a parameter, newest first. */
export const historyQuery = ({ projectId, moment }: ExplainedPlace, parameterId: string) =>
  queryOptions({
    queryKey: ['explain', 'history', projectId, parameterId, moment],
    queryFn: async ({ signal }) =>
      (await ask(ParameterHistory, { projectId, parameterId, ...moment }, signal)).parameter?.timeline?.results ?? [],
  });
