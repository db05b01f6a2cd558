import type { Cascade } from '../../platform/ledger/cascades.ts';

const values = (which: string) => `
  select v.id, x.name, x.project_id, p.name as project_name, v.environment_id, e.name as environment_name,
         v.parameter_id, x.name as parameter_name
    from value v
    join environment e on e.organization_id = v.organization_id and e.id = v.environment_id
    join parameter x on x.organization_id = v.organization_id and x.id = v.parameter_id
    join project p on p.organization_id = x.organization_id and p.id = x.project_id
   where v.organization_id = $1 and ${which} = $2 order by p.name, x.name, e.name`;

const rules = (which: string) => `
  select r.id, r.kind as name, x.project_id, p.name as project_name, x.id as parameter_id, x.name as parameter_name
    from parameter_rule r
    join parameter x on x.organization_id = r.organization_id and x.id = r.parameter_id
    join project p on p.organization_id = x.organization_id and p.id = x.project_id
   where r.organization_id = $1 and ${which} = $2 order by p.name, x.name, r.kind`;

/**
 * Deletes values with their parameter or environment, rules with their parameter, and parameters with their project.
 */
export const PARAMETER_CASCADES: readonly Cascade[] = [
  { of: 'Environment', objectType: 'Value', sql: values('v.environment_id') },
  { of: 'Parameter', objectType: 'Value', sql: values('v.parameter_id') },
  { of: 'Parameter', objectType: 'ParameterRule', sql: rules('r.parameter_id') },
  { of: 'Project', objectType: 'ParameterRule', sql: rules('x.project_id') },
  { of: 'Project', objectType: 'Value', sql: values('x.project_id') },
  {
    of: 'Project',
    objectType: 'Parameter',
    sql: `
      select x.id, x.name, x.project_id, p.name as project_name, x.id as parameter_id, x.name as parameter_name
        from parameter x join project p on p.organization_id = x.organization_id and p.id = x.project_id
       where x.organization_id = $1 and x.project_id = $2 order by x.name`,
  },
];
