import * as contract from '@strata/contract';
import { read } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';
import { Parameter } from '../parameters/parameters.ts';
import { Project } from '../projects/projects.ts';
import { Template } from '../templates/templates.ts';

const AuditTrail = shape(
  'AuditTrail',
  'One thing that somebody did to one object. It outlives both.',
  contract.AuditTrail,
  {
    action: 'What was done.',
    object_id: 'Id of the object.',
    object_name: 'Its name at that time; of a value, the name of its parameter.',
    object_type: 'What kind of object it was.',
    timestamp: 'When.',
    user: 'Who did it. Of somebody who has left, what is still known.',
  },
  { at: 'audit/{id}/' },
);

shape('AuditSummary', 'How far back the audit goes.', contract.AuditSummary, {
  earliest: 'When the oldest record that is shown was made.',
  max_days: 'Older records are not shown.',
  max_records: 'Of more records than this the oldest are not shown.',
  total: 'How many records are shown.',
});

const occasion = {
  history_type: 'What was done.',
  modified_at: 'When.',
  modified_by: 'Who: a person, or `Service Account (<name>)`.',
} as const;
const page = {
  count: 'How many entries there are here.',
  next_as_of: 'There are older entries: ask again with this as `asOf`.',
  results: 'What happened, newest first.',
} as const;

shape(
  'TimelineEnvironment',
  'An environment in which a change of a value changed what applies.',
  contract.TimelineEnvironment,
  {
    environment_id: 'Id of the environment.',
    name: 'Its name.',
    override: 'Whether the value is set in this environment itself.',
  },
);
const { history_parameter } = contract.ParameterTimelineEntry.shape;
shape('TimelineParameter', 'The parameter that a change was about.', history_parameter, {
  parameter_id: 'Id of the parameter.',
  name: 'Its name at that time.',
});
shape(
  'ParameterTimelineEntry',
  'One change of a parameter, its rules or its values.',
  contract.ParameterTimelineEntry,
  {
    ...occasion,
    history_environments: 'Of a value: the environments in which it changed what applies.',
    history_model: 'What of the parameter was changed.',
    history_parameter: 'The parameter.',
  },
);
shape('ParameterTimeline', 'What happened to parameters.', contract.ParameterTimeline, page);

const { history_template } = contract.TemplateTimelineEntry.shape;
shape('TimelineTemplate', 'A template as a change left it.', history_template, {
  name: 'Its name.',
  description: 'What it is for.',
  body: 'Its text as stored: not rendered.',
});
shape('TemplateTimelineEntry', 'One change of a template.', contract.TemplateTimelineEntry, {
  ...occasion,
  history_template: 'The template as the change left it.',
});
shape('TemplateTimeline', 'What happened to templates.', contract.TemplateTimeline, page);

export const HISTORY = [
  ...resource({
    operations: 'audit',
    of: AuditTrail,
    one: 'auditTrail',
    many: 'audit',
    about: 'What was done in the organization, newest first.',
  }).resolvers,
  read({ operation: 'audit_summary_retrieve', name: 'auditSummary', about: 'How far back the audit goes.' }),
  read({
    operation: 'projects_parameters_timelines_retrieve',
    name: 'parameterTimeline',
    under: Project,
    about: 'What happened to all its parameters, newest first; the point in time is the end of what is shown.',
  }),
  read({
    operation: 'projects_parameters_timeline_retrieve',
    name: 'timeline',
    under: Parameter,
    about: 'What happened to it, newest first; the point in time is the end of what is shown.',
  }),
  read({
    operation: 'projects_templates_timelines_retrieve',
    name: 'templateTimeline',
    under: Project,
    about: 'What happened to all its templates, newest first; the point in time is the end of what is shown.',
  }),
  read({
    operation: 'projects_templates_timeline_retrieve',
    name: 'timeline',
    under: Template,
    about: 'What happened to it, newest first; the point in time is the end of what is shown.',
  }),
];
