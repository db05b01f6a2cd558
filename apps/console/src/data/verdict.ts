import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { ParameterVerdictOf, TypeVerdictOf, type VerdictFragment } from '../graphql/types.graphql.ts';
import { queryKeys } from './query-keys.ts';

/** What a text is held against. */
export type Judge =
  | { readonly kind: 'type'; readonly id: string }
  | { readonly kind: 'parameter'; readonly projectId: string; readonly id: string };

export type Verdict = VerdictFragment;

export const verdictKeys = queryKeys('verdict', {}, (all) => ({
  of: (judge: Judge, rulesVersion: string, text: string) => [...all, judge, rulesVersion, text],
}));

/** Whether a text could be a value; the core judges, which stores nothing. */
export const verdictQuery = (judge: Judge, text: string, rulesVersion: string) =>
  queryOptions({
    // With the versions of the rules: what refused a text may have been changed since.
    queryKey: verdictKeys.of(judge, rulesVersion, text),
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Verdict | null> => {
      if (judge.kind === 'type') return (await ask(TypeVerdictOf, { id: judge.id, text }, signal)).typeVerdict ?? null;
      const { projectId, id } = judge;
      return (await ask(ParameterVerdictOf, { projectId, id, text }, signal)).parameterVerdict ?? null;
    },
  });
