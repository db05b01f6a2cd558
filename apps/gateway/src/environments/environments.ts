import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const ENVIRONMENTS_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'Environment',
      of: contract.Environment,
      at: 'environments/{id}/',
      members: { parent: { to: 'Environment' }, children: { as: 'childIds', to: 'Environment' } },
    }),
    declareObject({ name: 'EnvironmentSummary', of: contract.EnvironmentSummary }),
    declareObject({
      name: 'SummarizedEnvironment',
      of: contract.SummarizedEnvironment,
      linked: [
        {
          name: 'environment',
          to: 'Environment',
          about: 'The environment.',
          ids: (row: { readonly environment_id: string }) => [row.environment_id],
        },
      ],
    }),
    declareObject({ name: 'TagUsage', of: contract.TagUsage }),
    declareObject({
      name: 'Tag',
      of: contract.Tag,
      at: 'environments/{environmentId}/tags/{id}/',
      members: {
        pushes: { kind: { is: 'object', schema: contract.AwsPush } },
        push_urls: { as: 'pushIds', about: 'The pushes that use it.' },
      },
    }),
  ],
  nouns: [
    {
      operations: 'environments',
      of: 'Environment',
      about: 'The environments of the organization, parents before their children.',
      hasName: true,
    },
    { operations: 'environments_tags', of: 'Tag', under: 'Environment', about: 'The tags of the environment.' },
  ],
  reads: [
    {
      operation: 'environments_summary_retrieve',
      name: 'environmentSummary',
      about: 'The number of values and tags of each environment.',
    },
  ],
  actions: [
    {
      operation: 'environments_copy_create',
      name: 'copyEnvironment',
      about: 'Copies an environment with the values set in it; the copy is a sibling.',
    },
  ],
};
