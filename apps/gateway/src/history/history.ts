import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const HISTORY_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'AuditTrail', of: contract.AuditTrail, at: 'audit/{id}/' }),
    declareObject({ name: 'AuditRefusal', of: contract.DeniedRequest }),
    declareObject({ name: 'AuditSummary', of: contract.AuditSummary }),
    declareObject({
      name: 'TimelineEnvironment',
      of: contract.TimelineEnvironment,
      linked: [
        {
          name: 'environment',
          to: 'Environment',
          about: 'The environment; null if it was deleted.',
          ids: (row) => [row.environment_id],
        },
      ],
    }),
    declareObject({ name: 'TimelineParameter', of: contract.TimelineParameter }),
    declareObject({ name: 'TimelineState', of: contract.TimelineState }),
    declareObject({ name: 'TimelineVersions', of: contract.TimelineVersions }),
    declareObject({ name: 'ParameterTimelineEntry', of: contract.ParameterTimelineEntry }),
    declareObject({ name: 'ParameterTimeline', of: contract.ParameterTimeline }),
    declareObject({ name: 'TimelineTemplate', of: contract.TimelineTemplate }),
    declareObject({ name: 'TemplateTimelineEntry', of: contract.TemplateTimelineEntry }),
    declareObject({ name: 'TemplateTimeline', of: contract.TemplateTimeline }),
  ],
  nouns: [
    {
      operations: 'audit',
      of: 'AuditTrail',
      singularField: 'auditTrail',
      many: 'audit',
      about: 'The audit records of the organization, newest first.',
    },
  ],
  reads: [
    {
      operation: 'audit_summary_retrieve',
      name: 'auditSummary',
      about: 'The time span and the number of records that the audit covers.',
    },
    {
      operation: 'projects_parameters_timelines_retrieve',
      name: 'parameterTimeline',
      under: 'Project',
      about: 'The changes of all its parameters up to the point in time, newest first.',
    },
    {
      operation: 'projects_parameters_timeline_retrieve',
      name: 'timeline',
      under: 'Parameter',
      about: 'Its changes up to the point in time, newest first.',
    },
    {
      operation: 'projects_templates_timelines_retrieve',
      name: 'templateTimeline',
      under: 'Project',
      about: 'The changes of all its templates up to the point in time, newest first.',
    },
    {
      operation: 'projects_templates_timeline_retrieve',
      name: 'timeline',
      under: 'Template',
      about: 'Its changes up to the point in time, newest first.',
    },
  ],
};
