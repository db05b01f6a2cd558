import * as contract from '@strata/contract';
import { object } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const HISTORY: SchemaPart = {
  objects: [
    object({ name: 'AuditTrail', of: contract.AuditTrail, at: 'audit/{id}/' }),
    object({ name: 'AuditSummary', of: contract.AuditSummary }),
    object({
      name: 'TimelineEnvironment',
      of: contract.TimelineEnvironment,
      linked: [
        {
          name: 'environment',
          to: 'Environment',
          about: 'The environment; null when it is gone.',
          ids: (row) => [row.environment_id],
        },
      ],
    }),
    object({ name: 'TimelineParameter', of: contract.TimelineParameter }),
    object({ name: 'TimelineState', of: contract.TimelineState }),
    object({ name: 'TimelineVersions', of: contract.TimelineVersions }),
    object({ name: 'ParameterTimelineEntry', of: contract.ParameterTimelineEntry }),
    object({ name: 'ParameterTimeline', of: contract.ParameterTimeline }),
    object({ name: 'TimelineTemplate', of: contract.TimelineTemplate }),
    object({ name: 'TemplateTimelineEntry', of: contract.TemplateTimelineEntry }),
    object({ name: 'TemplateTimeline', of: contract.TemplateTimeline }),
  ],
  nouns: [
    {
      operations: 'audit',
      of: 'AuditTrail',
      one: 'auditTrail',
      many: 'audit',
      about: 'What was done in the organization, newest first.',
    },
  ],
  reads: [
    { operation: 'audit_summary_retrieve', name: 'auditSummary', about: 'How far back the audit goes.' },
    {
      operation: 'projects_parameters_timelines_retrieve',
      name: 'parameterTimeline',
      under: 'Project',
      about: 'What happened to all its parameters, newest first; the point in time is the end of what is shown.',
    },
    {
      operation: 'projects_parameters_timeline_retrieve',
      name: 'timeline',
      under: 'Parameter',
      about: 'What happened to it, newest first; the point in time is the end of what is shown.',
    },
    {
      operation: 'projects_templates_timelines_retrieve',
      name: 'templateTimeline',
      under: 'Project',
      about: 'What happened to all its templates, newest first; the point in time is the end of what is shown.',
    },
    {
      operation: 'projects_templates_timeline_retrieve',
      name: 'timeline',
      under: 'Template',
      about: 'What happened to it, newest first; the point in time is the end of what is shown.',
    },
  ],
};
