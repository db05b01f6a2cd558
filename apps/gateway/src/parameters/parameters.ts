import * as contract from '@strata/contract';
import { action } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { leftOut, shape } from '../graphql/shape.ts';
import { references, referencing } from './references.ts';

export const Parameter = shape(
  'Parameter',
  'A named setting of a project. It has at most one value in each environment and inherits the others.',
  contract.Parameter,
  {
    name: 'Unique in its project.',
    description: 'What it is for; may be empty.',
    secret: 'Whether its values must not be shown.',
    type: 'Name of its type: string, integer, boolean or one of your own.',
    rules: 'Rules of this parameter itself; those of its type apply as well.',
    project: {
      about: 'Id of the project that owns it; another one than asked for when it is inherited.',
      to: ['Project', 'The project that owns it.'],
    },
    project_name: 'Name of the project that owns it.',
    referencing_templates: { ...referencing.referencing_templates, kind: { is: 'link' } },
    referencing_values: { ...referencing.referencing_values, kind: { is: 'link' } },
    values: leftOut('`effective` and `values` are fields with arguments'),
    overrides: {
      about: 'Id of the parameter of the same name that it hides, further up.',
      to: ['Parameter', 'The parameter of the same name that it hides, further up.'],
    },
    templates: leftOut('repeats `referencing_templates`'),
    values_flat: leftOut('repeats `values`'),
    expires: 'How long its values last after their last change, such as `P30D`; null: for ever.',
    expiration_action: 'Options of the password that takes the place of an expired text; null: it is only marked.',
    expired_status: 'What became of expired values last: state, instant and detail.',
  },
  { at: 'projects/{projectId}/parameters/{id}/' },
);

export const Value = shape(
  'Value',
  'The text of a parameter in one environment.',
  contract.Value,
  {
    value: 'The text to use. Secrets read `*****` unless `reveal` was asked for; null is an explicit "nothing".',
    internal_value: 'The text as stored; null for secrets.',
    secret: 'Whether the text must not be shown.',
    interpolated: 'Whether references in the stored text are replaced.',
    evaluated: 'Whether `value` is the outcome of such a replacement.',
    environment: {
      about: '',
      withoutId: true,
      to: ['Environment', 'The environment that the value is set in.'],
    },
    environment_id: 'Id of the environment that the value is set in.',
    environment_name: 'Name of the environment that the value is set in.',
    active_environment: leftOut('`activeEnvironmentId` tells it'),
    active_environment_id: 'Id of the environment that was asked for; another one when the value is inherited.',
    active_environment_name: 'Name of the environment that was asked for.',
    parameter: {
      about: '',
      withoutId: true,
      to: [
        'Parameter',
        'The parameter that the value is set on; that of another project when the value is inherited from there.',
      ],
    },
    parameter_id: 'Id of the parameter that the value is set on.',
    external: 'Whether the text comes from outside.',
    external_fqn: 'Where outside.',
    external_filter: 'What of the content there.',
    external_error: 'Why the text could not be had.',
    external_status: leftOut('always null'),
    ...references('the text'),
    dynamic: leftOut('repeats `external`'),
    dynamic_error: leftOut('repeats `external_error`'),
    dynamic_filter: leftOut('repeats `external_filter`'),
    dynamic_fqn: leftOut('repeats `external_fqn`'),
    static_value: leftOut('repeats `internal_value`'),
    expires_at: 'When it will be older than it should be.',
  },
  {
    at: 'projects/{projectId}/parameters/{parameterId}/values/{id}/',
    computed: [
      {
        name: 'inherited',
        kind: { is: 'flag' },
        about: 'Whether the value comes from another environment than the one asked for.',
        get: (row: contract.Value) => row.environment_id !== row.active_environment_id,
      },
    ],
  },
);

/** What `values`, `effective` and the lists they come from are asked for is written by hand, in `views.resolver.ts`. */
export const PARAMETERS = [
  ...resource({
    operations: 'projects_parameters',
    of: Parameter,
    about: '',
    except: ['list', 'one'],
    loadWith: { values: false },
    inputs: {
      secret: 'Whether its values must not be shown.',
      type: 'Name of its type; string when left out.',
    },
  }).resolvers,
  action({
    operation: 'projects_parameters_copy_create',
    name: 'copyParameter',
    about: 'Copies a parameter with its rules and values.',
    inputs: {
      name: 'Name of the copy.',
      description: 'What it is for; that of the source when left out.',
      project: 'The project that shall own the copy.',
    },
  }),
  ...resource({
    operations: 'projects_parameters_values',
    of: Value,
    about: 'The values that a parameter itself has.',
    except: ['create', 'update', 'delete'],
    loadWith: { mask_secrets: true },
  }).resolvers,
];
