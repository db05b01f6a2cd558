import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../graphql/request.ts';
import { ParameterVerdictOf, TypeVerdictOf, type VerdictFragment } from '../graphql/types.graphql.ts';
import { queryKeys } from './query-keys.ts';

/** The owner of the rules against which a value is validated: a type or a parameter. */
export type ValidationTarget =
  | { readonly kind: 'type'; readonly id: string }
  | { readonly kind: 'parameter'; readonly projectId: string; readonly id: string };

export type ValidationResult = VerdictFragment;

export const validationKeys = queryKeys('validation', {}, (all) => ({
  of: (target: ValidationTarget, rulesVersion: string, text: string) => [...all, target, rulesVersion, text],
}));

/** The query for the result of validating a value. The core does not store the value. */
export const validationQuery = (target: ValidationTarget, text: string, rulesVersion: string) =>
  queryOptions({
    // The key contains the version of the rules, so that the value is validated again after a rule has changed.
    queryKey: validationKeys.of(target, rulesVersion, text),
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ValidationResult | null> => {
      if (target.kind === 'type')
        return (await requestGraphql(TypeVerdictOf, { id: target.id, text }, signal)).typeVerdict ?? null;
      const { projectId, id } = target;
      return (await requestGraphql(ParameterVerdictOf, { projectId, id, text }, signal)).parameterVerdict ?? null;
    },
  });
