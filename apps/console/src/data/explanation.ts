import { queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { ExplainCell, type ExplainCellQuery, ParameterHistory, RevealValue } from '../graphql/explain.graphql.ts';
import type { MomentArgs } from '../lib/moment.ts';
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

/** A secret value: where it applies, and at which time. */
export interface SecretCell {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environment: string;
  readonly moment: MomentArgs;
}

/** The parameter with its secret in clear, which the core records; null if the parameter does not exist. The result is in no cache. */
export async function revealedParameter(cell: SecretCell, signal: AbortSignal) {
  const { projectId, parameterId, environment, moment } = cell;
  return (await ask(RevealValue, { projectId, parameterId, environment, ...moment }, signal)).parameter;
}
