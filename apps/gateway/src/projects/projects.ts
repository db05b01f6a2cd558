import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const PROJECTS_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'Project',
      of: contract.Project,
      at: 'projects/{id}/',
      members: {
        depends_on: { to: 'Project' },
        dependents: { to: 'Project' },
        pushes: { kind: { is: 'object', schema: contract.AwsPush } },
        push_urls: { as: 'pushIds', about: 'The pushes that include it.' },
      },
    }),
    declareObject({ name: 'ProjectOverview', of: contract.ProjectOverview }),
    declareObject({ name: 'OverviewProject', of: contract.OverviewProject }),
    declareObject({ name: 'LastProjectChange', of: contract.LastProjectChange }),
    declareObject({ name: 'ExpiringValue', of: contract.ExpiringValue }),
    declareObject({ name: 'ProjectInstances', of: contract.ProjectInstances }),
    declareObject({ name: 'ParameterExport', of: contract.ParameterExport }),
  ],
  nouns: [{ operations: 'projects', of: 'Project', about: 'The projects of the organization, by name.' }],
  actions: [
    {
      operation: 'projects_copy_create',
      name: 'copyProject',
      about: 'Copies a project with its parameters, rules, values and templates.',
    },
  ],
  reads: [
    {
      operation: 'projects_overview_retrieve',
      name: 'projectOverview',
      about: 'The counts, the last change and the problems of each project.',
    },
    {
      operation: 'projects_parameter_export_list',
      name: 'export',
      under: 'Project',
      about: 'Exports its parameters in one environment as a file of environment variables.',
    },
  ],
};
