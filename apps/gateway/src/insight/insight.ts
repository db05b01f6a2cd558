import * as contract from '@strata/contract';
import { declareObject, omitMember } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** Omits `next`, because GraphQL pages continue by cursor and contain no URLs of the REST API. */
const next = omitMember('`cursor` is the position of the next page');

interface NamedRow {
  readonly project_id: string;
  readonly parameter_id: string;
}

const OF_A_PARAMETER = [
  { name: 'project', to: 'Project', about: 'The project that shows it.', ids: (row: NamedRow) => [row.project_id] },
  {
    name: 'parameter',
    to: 'Parameter',
    about: 'The parameter as the project shows it.',
    ids: (row: NamedRow) => [row.project_id, row.parameter_id],
  },
] as const;

const environment = {
  name: 'environment',
  to: 'Environment',
  about: 'The environment.',
  ids: (row: { readonly environment_id: string }) => [row.environment_id],
} as const;

/**
 * Omits the link, which points to the owner's parameter. The object next to it is the parameter that the project shows.
 */
const parameter = omitMember('the same as `parameterId` and `parameter`');

export const INSIGHT_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'SearchPage', of: contract.SearchPage, members: { next } }),
    declareObject({ name: 'SearchHit', of: contract.SearchHit, members: { parameter }, linked: OF_A_PARAMETER }),
    declareObject({ name: 'SearchWin', of: contract.SearchWin }),
    declareObject({ name: 'SearchedEnvironment', of: contract.SearchedEnvironment, linked: [environment] }),
    declareObject({ name: 'LintPage', of: contract.LintPage, members: { next } }),
    declareObject({ name: 'LintFinding', of: contract.LintFinding, members: { parameter }, linked: OF_A_PARAMETER }),
    declareObject({ name: 'LintedEnvironment', of: contract.LintedEnvironment, linked: [environment] }),
    declareObject({
      name: 'MendOperation',
      of: contract.MendOperation,
      members: { path: { kind: { is: 'json' } }, query: { kind: { is: 'json' } }, body: { kind: { is: 'json' } } },
    }),
  ],
  reads: [
    {
      operation: 'search_list',
      name: 'search',
      about: 'Searches everything that the caller can access for a text. Secrets are neither searched nor returned.',
    },
    {
      operation: 'lint_list',
      name: 'lint',
      about: 'Possible mistakes in the configuration, with the operations that fix them. No finding contains a value.',
    },
  ],
};
