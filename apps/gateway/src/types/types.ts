import * as contract from '@strata/contract';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';

const rule = {
  type: 'What it limits.',
  constraint: 'The limit as text.',
};

export const ParameterType = shape(
  'ParameterType',
  'A kind of value. Every type refines another one; string, integer, boolean are the roots.',
  contract.ParameterType,
  {
    name: 'Unique in the organization.',
    description: 'What it is for; may be empty.',
    rules: 'Rules of this type itself; those of the types it refines apply as well.',
    parent: {
      about: 'Id of the type it refines; null for the roots.',
      to: ['ParameterType', 'The type it refines.'],
    },
    parent_name: 'Name of the type it refines.',
  },
  { at: 'types/{id}/' },
);

const ParameterTypeRule = shape(
  'ParameterTypeRule',
  'A limit that values of all parameters of a type must keep.',
  contract.ParameterTypeRule,
  { ...rule, parameter_type: { about: 'Id of the type.', to: ['ParameterType', 'The type.'] } },
  { at: 'types/{typeId}/rules/{id}/' },
);

const ParameterRule = shape(
  'ParameterRule',
  'A limit that values of one parameter must keep.',
  contract.ParameterRule,
  { ...rule, parameter: { about: 'Id of the parameter.', to: ['Parameter', 'The parameter.'] } },
  { at: 'projects/{projectId}/parameters/{parameterId}/rules/{id}/' },
);

export const TYPES = [
  ...resource({
    operations: 'types',
    of: ParameterType,
    one: 'type',
    many: 'types',
    about: 'The types of the organization, built-in ones included, by name.',
    inputs: { parent: 'The type to refine.' },
  }).resolvers,
  ...resource({
    operations: 'types_rules',
    of: ParameterTypeRule,
    about: 'The rules of a type itself.',
  }).resolvers,
  ...resource({
    operations: 'projects_parameters_rules',
    of: ParameterRule,
    about: 'The rules of a parameter itself.',
  }).resolvers,
];
