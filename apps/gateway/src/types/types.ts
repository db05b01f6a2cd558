import * as contract from '@strata/contract';
import type { SchemaPart } from '../schema/assembly.ts';
import { object } from '../schema/object-type.ts';

export const TYPES: SchemaPart = {
  objects: [
    object({
      name: 'ParameterType',
      of: contract.ParameterType,
      at: 'types/{id}/',
      members: { parent: { to: 'ParameterType' } },
    }),
    object({
      name: 'ParameterTypeRule',
      of: contract.ParameterTypeRule,
      at: 'types/{typeId}/rules/{id}/',
      members: { parameter_type: { to: 'ParameterType' } },
    }),
    object({
      name: 'ParameterRule',
      of: contract.ParameterRule,
      at: 'projects/{projectId}/parameters/{parameterId}/rules/{id}/',
      members: { parameter: { to: 'Parameter' } },
    }),
  ],
  nouns: [
    {
      operations: 'types',
      of: 'ParameterType',
      one: 'type',
      many: 'types',
      about: 'The types of the organization, built-in ones included, by name.',
    },
    { operations: 'types_rules', of: 'ParameterTypeRule', about: 'The rules of a type itself.' },
    { operations: 'projects_parameters_rules', of: 'ParameterRule', about: 'The rules of a parameter itself.' },
  ],
};
