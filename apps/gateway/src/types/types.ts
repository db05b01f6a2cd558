import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const TYPES_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'ParameterType',
      of: contract.ParameterType,
      at: 'types/{id}/',
      members: { parent: { to: 'ParameterType' } },
    }),
    declareObject({
      name: 'ParameterTypeRule',
      of: contract.ParameterTypeRule,
      at: 'types/{typeId}/rules/{id}/',
      members: { parameter_type: { to: 'ParameterType' } },
    }),
    declareObject({
      name: 'ParameterRule',
      of: contract.ParameterRule,
      at: 'projects/{projectId}/parameters/{parameterId}/rules/{id}/',
      members: { parameter: { to: 'Parameter' } },
    }),
    declareObject({ name: 'TypeUsage', of: contract.TypeUsage }),
    declareObject({
      name: 'TypeUse',
      of: contract.TypeUse,
      linked: [{ name: 'type', to: 'ParameterType', about: 'The type.', ids: (row) => [row.type_id] }],
    }),
    declareObject({
      name: 'ParameterOfType',
      of: contract.ParameterOfType,
      linked: [
        { name: 'project', to: 'Project', about: 'The project that owns it.', ids: (row) => [row.project_id] },
        { name: 'parameter', to: 'Parameter', about: 'The parameter.', ids: (row) => [row.project_id, row.id] },
      ],
    }),
    declareObject({ name: 'TextVerdict', of: contract.TextValidationResult }),
    declareObject({ name: 'TextViolation', of: contract.TextViolation }),
  ],
  nouns: [
    {
      operations: 'types',
      of: 'ParameterType',
      singularField: 'type',
      many: 'types',
      about: 'The types of the organization, including built-in ones, sorted by name.',
    },
    { operations: 'types_rules', of: 'ParameterTypeRule', about: 'The rules of a type itself.' },
    { operations: 'projects_parameters_rules', of: 'ParameterRule', about: 'The rules of a parameter itself.' },
  ],
  lists: [
    {
      operation: 'types_parameters_list',
      of: 'ParameterOfType',
      many: 'parametersOfType',
      about: 'The parameters with exactly this type, sorted by name, in all projects that the caller can read.',
    },
  ],
  reads: [
    { operation: 'types_usage_list', name: 'typeUsage', about: 'The number of parameters of each type.' },
    {
      operation: 'types_validate_create',
      name: 'typeVerdict',
      about: 'Validates a text against a type and all its rules, without storing it.',
    },
    {
      operation: 'projects_parameters_validate_create',
      name: 'parameterVerdict',
      about: 'Validates a text against the type and all rules of a parameter, without storing it.',
    },
  ],
};
