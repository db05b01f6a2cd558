import type { Cascade } from '../../platform/ledger/cascades.ts';

const values = (idColumn: string) => `
  select value.id, parameter.name, parameter.project_id, project.name as project_name, value.environment_id, environment.name as environment_name,
         value.parameter_id, parameter.name as parameter_name
    from value
    join environment on environment.organization_id = value.organization_id and environment.id = value.environment_id
    join parameter on parameter.organization_id = value.organization_id and parameter.id = value.parameter_id
    join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
   where value.organization_id = $1 and ${idColumn} = $2 order by project.name, parameter.name, environment.name`;

const rules = (idColumn: string) => `
  select rule.id, rule.kind as name, parameter.project_id, project.name as project_name, parameter.id as parameter_id, parameter.name as parameter_name
    from parameter_rule rule
    join parameter on parameter.organization_id = rule.organization_id and parameter.id = rule.parameter_id
    join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
   where rule.organization_id = $1 and ${idColumn} = $2 order by project.name, parameter.name, rule.kind`;

/**
 * Deletes values with their parameter or environment, rules with their parameter, and parameters with their project.
 */
export const PARAMETER_CASCADES: readonly Cascade[] = [
  { of: 'Environment', objectType: 'Value', sql: values('value.environment_id') },
  { of: 'Parameter', objectType: 'Value', sql: values('value.parameter_id') },
  { of: 'Parameter', objectType: 'ParameterRule', sql: rules('rule.parameter_id') },
  { of: 'Project', objectType: 'ParameterRule', sql: rules('parameter.project_id') },
  { of: 'Project', objectType: 'Value', sql: values('parameter.project_id') },
  {
    of: 'Project',
    objectType: 'Parameter',
    sql: `
      select parameter.id, parameter.name, parameter.project_id, project.name as project_name, parameter.id as parameter_id, parameter.name as parameter_name
        from parameter join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
       where parameter.organization_id = $1 and parameter.project_id = $2 order by parameter.name`,
  },
];
