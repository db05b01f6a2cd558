import { z } from 'zod';
import { timeOutput, uuidOutput } from './fields.ts';
import { booleanParameter, PageQuery, pointInTime } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const HISTORY_TYPES = ['create', 'update', 'delete', 'nothing'] as const;
const HISTORY_MODELS = ['Parameter', 'ParameterRule', 'Value'] as const;

const HistoryType = vocabulary(HISTORY_TYPES, {
  name: 'HistoryType',
  description: 'The action.',
  meaning: (type) => (type === 'nothing' ? 'Nothing.' : `The object was ${type}d.`),
}).meta({ id: 'HistoryTypeEnum' });
const HistoryModel = vocabulary(HISTORY_MODELS, {
  name: 'HistoryModel',
  description: 'The part of a parameter that was changed.',
  meaning: (model) =>
    ({
      Parameter: 'The parameter itself.',
      ParameterRule: 'A rule of the parameter.',
      Value: 'A value of the parameter.',
    })[model],
}).meta({ id: 'HistoryModelEnum' });

const occasion = {
  history_type: HistoryType.meta({ description: 'The action.' }),
  modified_at: timeOutput.meta({ description: 'When it was changed.' }),
  modified_by: z.string().meta({ description: 'Name of the user, or `Service Account (<name>)`.' }),
};

export const TimelineEnvironment = z
  .object({
    environment_id: uuidOutput.meta({ description: 'Id of the environment.' }),
    name: z.string().meta({ description: 'Name of the environment.' }),
    override: z.boolean().meta({ description: 'Whether the value is set in this environment itself.' }),
  })
  .meta({
    id: 'ParameterTimelineEntryEnvironment',
    description: 'An environment in which the change of a value changed the effective value.',
  });
export type TimelineEnvironment = z.infer<typeof TimelineEnvironment>;

export const TimelineParameter = z
  .object({
    parameter_id: uuidOutput.meta({ description: 'Id of the parameter.' }),
    name: z.string().meta({ description: 'Name of the parameter at that time.' }),
  })
  .meta({ id: 'ParameterTimelineEntryParameter', description: 'The parameter of a change.' });

export const TimelineState = z
  .object({
    ledger_id: uuidOutput.meta({ description: 'The version.' }),
    text: z.string().nullable().meta({
      description:
        'For a value: the stored text, `*****` for a secret, null for an explicit null. Null for other objects.',
    }),
    interpolated: z.boolean().meta({ description: 'Whether the text is dynamic.' }),
    secret: z.boolean().meta({ description: 'Whether the value is secret.' }),
  })
  .meta({ id: 'ParameterTimelineEntryState', description: 'A state of a parameter, rule or value.' });

export type TimelineState = z.infer<typeof TimelineState>;

export const TimelineVersions = z
  .object({
    object_id: uuidOutput.meta({ description: 'Id of the parameter, rule or value.' }),
    revision: z.int().meta({ description: 'The changeset that the change was part of, by its revision.' }),
    environment_id: uuidOutput.nullable().meta({ description: 'For a value: the environment that it is set in.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of that environment at that time.' }),
    before: TimelineState.nullable().meta({
      description: 'The state before the change; null if the change created the object.',
    }),
    after: TimelineState.nullable().meta({
      description: 'The state after the change; null if the change deleted the object.',
    }),
  })
  .meta({ id: 'ParameterTimelineEntryVersions', description: 'The states before and after a change.' });
export type TimelineVersions = z.infer<typeof TimelineVersions>;

export const ParameterTimelineEntry = z
  .object({
    ...occasion,
    history_environments: z
      .array(TimelineEnvironment)
      .meta({ description: 'For a value: the environments in which the effective value changed.' }),
    history_model: HistoryModel.meta({ description: 'The part of the parameter that was changed.' }),
    history_parameter: TimelineParameter.meta({ description: 'The parameter.' }),
    history_versions: TimelineVersions.nullable().optional().meta({
      description:
        'Only with `versions`: the states before and after the change; null if the caller cannot access them.',
    }),
  })
  .meta({ id: 'ParameterTimelineEntry', description: 'One change of a parameter, its rules or its values.' });
export type ParameterTimelineEntry = z.infer<typeof ParameterTimelineEntry>;

const nextAsOf = timeOutput
  .optional()
  .meta({ description: 'If not null, there are older entries. Pass this value as `as_of` to read them.' });

export const ParameterTimeline = z
  .object({
    count: z.int().meta({ description: 'Number of entries in this response.' }),
    next_as_of: nextAsOf.meta({
      description: 'If not null, there are older entries. Pass this value as the point in time to read them.',
    }),
    results: z.array(ParameterTimelineEntry).meta({ description: 'The changes, newest first.' }),
  })
  .meta({ id: 'ParameterTimeline', description: 'The changes of parameters.' });
export type ParameterTimeline = z.infer<typeof ParameterTimeline>;

export const TimelineTemplate = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    ledger_id: uuidOutput.meta({ description: 'Version of the object. It changes with every modification.' }),
    name: z.string().meta({ description: 'Name of the template.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    body: z.string().meta({ description: 'The stored text, not rendered.' }),
  })
  .meta({ id: 'TemplateTimelineEntryTemplate', description: 'A template after a change.' });

export const TemplateTimelineEntry = z
  .object({
    ...occasion,
    history_template: TimelineTemplate.meta({ description: 'The template after the change.' }),
  })
  .meta({ id: 'TemplateTimelineEntry', description: 'One change of a template.' });
export type TemplateTimelineEntry = z.infer<typeof TemplateTimelineEntry>;

export const TemplateTimeline = z
  .object({
    count: z.int().meta({ description: 'Number of entries in this response.' }),
    next_as_of: nextAsOf.meta({
      description: 'If not null, there are older entries. Pass this value as the point in time to read them.',
    }),
    results: z.array(TemplateTimelineEntry).meta({ description: 'The changes, newest first.' }),
  })
  .meta({ id: 'TemplateTimeline', description: 'The changes of templates.' });
export type TemplateTimeline = z.infer<typeof TemplateTimeline>;

export const ParameterTimelineQuery = z.object({
  ...pointInTime,
  page_size: PageQuery.shape.page_size,
  versions: booleanParameter(
    'Return the states before and after each change, including the texts of values. Secrets are masked.',
  ).default(false),
});
export type ParameterTimelineQuery = z.infer<typeof ParameterTimelineQuery>;

/** Changes are returned up to the point in time. A page always contains all changes of a revision. */
export const TimelineQuery = z.object({
  ...pointInTime,
  page_size: PageQuery.shape.page_size,
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;
