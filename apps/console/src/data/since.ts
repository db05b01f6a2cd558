import { queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { SinceWhen } from '../graphql/explain.graphql.ts';
import type { MomentArgs } from '../lib/moment.ts';

/** A name in an environment, as a project shows it at some time. */
export interface ExplainedPlace {
  readonly projectId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly moment: MomentArgs;
}

/** Since when a cell reads as it does, and by whom. */
export const sinceQuery = ({ moment, ...place }: ExplainedPlace) =>
  queryOptions({
    queryKey: ['explain', 'since', place, moment],
    queryFn: async ({ signal }) => (await ask(SinceWhen, { ...place, ...moment }, signal)).explain?.since ?? null,
  });
