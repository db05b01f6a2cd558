import * as contract from '@strata/contract';
import { declareObject, omitMember } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import { REFERENCES, REFERRERS } from './references.ts';
import { addParameterViews } from './views.ts';

export const PARAMETERS_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'Parameter',
      of: contract.Parameter,
      at: 'projects/{projectId}/parameters/{id}/',
      members: {
        project: {
          to: 'Project',
          about: 'The project that owns it. For an inherited parameter, it differs from the requested project.',
        },
        ...REFERRERS,
        values: omitMember('`effective` and `values` are fields with arguments'),
        values_flat: omitMember('repeats `values`'),
        templates: omitMember('repeats `referencing_templates`'),
        overrides: { to: 'Parameter' },
      },
    }),
    declareObject({
      name: 'Value',
      of: contract.Value,
      at: 'projects/{projectId}/parameters/{parameterId}/values/{id}/',
      members: {
        environment: { to: 'Environment', withoutId: true },
        active_environment: { to: 'Environment', withoutId: true },
        parameter: {
          to: 'Parameter',
          withoutId: true,
          about:
            'The parameter that the value is set on. It belongs to another project if the value is inherited from it.',
        },
        external_status: omitMember('always null'),
        ...REFERENCES,
        dynamic: omitMember('repeats `external`'),
        dynamic_error: omitMember('repeats `external_error`'),
        dynamic_filter: omitMember('repeats `external_filter`'),
        dynamic_fqn: omitMember('repeats `external_fqn`'),
        static_value: omitMember('repeats `internal_value`'),
      },
      computed: [
        {
          name: 'inherited',
          kind: { is: 'flag' },
          about: 'Whether the value is inherited from another environment.',
          get: (row) => row.environment_id !== row.active_environment_id,
        },
      ],
    }),
    declareObject({ name: 'ParameterDuality', of: contract.ParameterDuality }),
  ],
  nouns: [
    // Written by hand, because its reads take an environment that the resolvers of child objects need.
    {
      operations: 'projects_parameters',
      of: 'Parameter',
      about: '',
      except: ['list', 'one'],
      loadWith: { values: false },
    },
    {
      operations: 'projects_parameters_values',
      of: 'Value',
      about: 'The values that a parameter itself has.',
      except: ['create', 'update', 'delete'],
      loadWith: { mask_secrets: true },
    },
  ],
  actions: [
    {
      operation: 'projects_parameters_copy_create',
      name: 'copyParameter',
      about: 'Copies a parameter with its rules and values.',
    },
  ],
  extend: addParameterViews,
};
