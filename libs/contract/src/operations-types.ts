import { BY_NAME } from './list-cursor.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';
import { PARAMETERS_PATH } from './operations-configuration.ts';
import * as type from './parameter-type.ts';
import * as rule from './rule.ts';
import * as use from './type-use.ts';

const API = '/api/v1';

export const PARAMETER_RULES = noun({
  tag: 'projects',
  prefix: 'projects_parameters_rules',
  writes: 'ParameterRule',
  collection: `${PARAMETERS_PATH}{parameter_pk}/rules/`,
  singular: 'a rule of a parameter',
  plural: 'the rules that a parameter itself has',
  sortedBy: ['type', 'id'],
  read: 'read',
  write: 'write_content',
  conditional: true,
  shapes: {
    item: rule.ParameterRule,
    page: rule.ParameterRulePage,
    listQuery: rule.RuleListQuery,
    itemQuery: rule.RuleQuery,
    create: rule.ParameterRuleCreate,
    update: rule.ParameterRuleUpdate,
    patch: rule.ParameterRulePatch,
  },
});

export const TYPES = noun({
  tag: 'types',
  prefix: 'types',
  writes: 'ParameterType',
  collection: `${API}/types/`,
  singular: 'a type',
  plural: 'types of parameters',
  addressing: { links: { parent: ['types'] } },
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { delete: [409] },
  shapes: {
    item: type.ParameterType,
    page: type.ParameterTypePage,
    listQuery: type.ParameterTypeListQuery,
    itemQuery: type.ParameterTypeQuery,
    create: type.ParameterTypeCreate,
    update: type.ParameterTypeUpdate,
    patch: type.ParameterTypePatch,
  },
});

export const TYPE_RULES = noun({
  tag: 'types',
  prefix: 'types_rules',
  writes: 'ParameterTypeRule',
  collection: `${API}/types/{parametertype_pk}/rules/`,
  singular: 'a rule of a type',
  plural: 'the rules that a type itself has',
  sortedBy: ['type', 'id'],
  read: 'read',
  write: 'write_content',
  conditional: true,
  shapes: {
    item: rule.ParameterTypeRule,
    page: rule.ParameterTypeRulePage,
    listQuery: rule.RuleListQuery,
    itemQuery: rule.RuleQuery,
    create: rule.ParameterTypeRuleCreate,
    update: rule.ParameterTypeRuleUpdate,
    patch: rule.ParameterTypeRulePatch,
  },
});

const VALIDATION = {
  method: 'post',
  requires: 'read',
  body: use.TextToValidate,
  status: 200,
  response: use.TextValidationResult,
  errorStatuses: [],
} as const;

export const VALIDATE_AS_TYPE = operation({
  ...VALIDATION,
  id: 'types_validate_create',
  path: `${API}/types/{id}/validate/`,
  tag: 'types',
  summary: 'Validate a text against a type and all its rules, without storing it',
});

export const VALIDATE_AS_PARAMETER = operation({
  ...VALIDATION,
  id: 'projects_parameters_validate_create',
  path: `${PARAMETERS_PATH}{id}/validate/`,
  tag: 'projects',
  summary: 'Validate a text against the type and all rules of a parameter, without storing it',
});

export const TYPE_USAGE = operation({
  id: 'types_usage_list',
  method: 'get',
  path: `${API}/type-usage/`,
  tag: 'types',
  summary: 'Count the parameters of each type',
  requires: 'read',
  status: 200,
  response: use.TypeUsage,
  errorStatuses: [],
  conditional: true,
});

export const PARAMETERS_OF_TYPE = operation({
  id: 'types_parameters_list',
  method: 'get',
  path: `${API}/types/{id}/parameters/`,
  tag: 'types',
  summary: 'List the parameters that are of a type itself',
  requires: 'read',
  query: use.ParameterOfTypeListQuery,
  status: 200,
  response: use.ParameterOfTypePage,
  errorStatuses: [],
  conditional: true,
  sortedBy: BY_NAME,
});

export const typeOperations = operations([
  ...standardOperations(PARAMETER_RULES),
  VALIDATE_AS_PARAMETER,
  ...standardOperations(TYPES),
  ...standardOperations(TYPE_RULES),
  TYPE_USAGE,
  PARAMETERS_OF_TYPE,
  VALIDATE_AS_TYPE,
]);
