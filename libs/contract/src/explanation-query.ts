import type { z } from 'zod';
import { EXPLANATION_LIMITS } from './explanation.ts';
import {
  booleanParameter,
  choicesParameter,
  nameAndDescriptionFilters,
  PageQuery,
  pointInTimeParameters,
  textParameter,
} from './query.ts';

export const ExplanationQuery = PageQuery.omit({ ordering: true }).extend({
  ...pointInTimeParameters,
  environment: textParameter('Name or id of the environment; defaults to `default`.'),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
  immediate_parameters: booleanParameter("Only the project's own parameters, without inherited ones.").default(false),
  secret: booleanParameter('true returns only secret parameters, false only others.').optional(),
  include: choicesParameter(
    ['since'],
    `\`since\`: also return the latest change of each, for lists of at most ${EXPLANATION_LIMITS.since} names.`,
  ),
  ...nameAndDescriptionFilters,
  name: textParameter('Explain this parameter in detail, even if it does not exist. Other filters are ignored.'),
});
export type ExplanationQuery = z.infer<typeof ExplanationQuery>;
