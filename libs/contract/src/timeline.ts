import { z } from 'zod';
import { timeOut, uuidOut } from './fields.ts';
import { flagParameter, PageQuery, pointInTime } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const HISTORY_TYPES = ['create', 'update', 'delete', 'nothing'] as const;
export const HISTORY_MODELS = ['Parameter', 'ParameterRule', 'Value'] as const;

const HistoryType = vocabulary(HISTORY_TYPES, {
  name: 'HistoryType',
  description: 'What happened to it.',
  meaning: (type) => (type === 'nothing' ? 'Nothing.' : `It was ${type}d.`),
}).meta({ id: 'HistoryTypeEnum' });
const HistoryModel = vocabulary(HISTORY_MODELS, {
  name: 'HistoryModel',
  description: 'What of a parameter was changed.',
  meaning: (model) =>
    ({ Parameter: 'The parameter itself.', ParameterRule: 'One of its rules.', Value: 'One of its values.' })[model],
}).meta({ id: 'HistoryModelEnum' });

const occasion = {
  history_type: HistoryType.meta({ description: 'What was done.' }),
  modified_at: timeOut.meta({ description: 'When.' }),
  modified_by: z.string().meta({ description: 'Who: a person, or `Service Account (<name>)`.' }),
};

/** An environment in which a change of a value changed what applies. */
export const TimelineEnvironment = z
  .object({
    environment_id: uuidOut.meta({ description: 'Id of the environment.' }),
    name: z.string().meta({ description: 'Its name.' }),
    override: z.boolean().meta({ description: 'Whether the value is set in this environment itself.' }),
  })
  .meta({
    id: 'ParameterTimelineEntryEnvironment',
    description: 'An environment in which a change of a value changed what applies.',
  });
export type TimelineEnvironment = z.infer<typeof TimelineEnvironment>;

export const TimelineParameter = z
  .object({
    parameter_id: uuidOut.meta({ description: 'Id of the parameter.' }),
    name: z.string().meta({ description: 'Its name at that time.' }),
  })
  .meta({ id: 'ParameterTimelineEntryParameter', description: 'The parameter that a change was about.' });

/** A state of what was changed. */
export const TimelineState = z
  .object({
    ledger_id: uuidOut.meta({ description: 'The version that it was.' }),
    text: z.string().nullable().meta({
      description:
        'Of a value: its text as it was stored, `*****` for a secret; null for an explicit null, and for all else.',
    }),
    interpolated: z.boolean().meta({ description: 'Whether that text has references.' }),
    secret: z.boolean().meta({ description: 'Whether it is a secret.' }),
  })
  .meta({ id: 'ParameterTimelineEntryState', description: 'A state of a parameter, rule or value.' });

export type TimelineState = z.infer<typeof TimelineState>;

export const TimelineVersions = z
  .object({
    object_id: uuidOut.meta({ description: 'Id of the parameter, rule or value.' }),
    revision: z.int().meta({ description: 'The changeset that the change was part of, by its revision.' }),
    environment_id: uuidOut.nullable().meta({ description: 'Of a value: where it is set.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of that environment at that time.' }),
    before: TimelineState.nullable().meta({ description: 'What it was; null when it was made.' }),
    after: TimelineState.nullable().meta({ description: 'What it became; null when it was deleted.' }),
  })
  .meta({ id: 'ParameterTimelineEntryVersions', description: 'What a change made of what.' });
export type TimelineVersions = z.infer<typeof TimelineVersions>;

export const ParameterTimelineEntry = z
  .object({
    ...occasion,
    history_environments: z
      .array(TimelineEnvironment)
      .meta({ description: 'Of a value: the environments in which it changed what applies.' }),
    history_model: HistoryModel.meta({ description: 'What of the parameter was changed.' }),
    history_parameter: TimelineParameter.meta({ description: 'The parameter.' }),
    history_versions: TimelineVersions.nullable().optional().meta({
      description: 'With `versions`: what it was and what it became; null where that is closed to the caller.',
    }),
  })
  .meta({ id: 'ParameterTimelineEntry', description: 'One change of a parameter, its rules or its values.' });
export type ParameterTimelineEntry = z.infer<typeof ParameterTimelineEntry>;

const nextAsOf = timeOut.optional().meta({ description: 'There are older entries: ask again with this as `as_of`.' });

export const ParameterTimeline = z
  .object({
    count: z.int().meta({ description: 'How many entries there are here.' }),
    next_as_of: nextAsOf.meta({ description: 'There are older entries: ask again with this as the point in time.' }),
    results: z.array(ParameterTimelineEntry).meta({ description: 'What happened, newest first.' }),
  })
  .meta({ id: 'ParameterTimeline', description: 'What happened to parameters.' });
export type ParameterTimeline = z.infer<typeof ParameterTimeline>;

export const TimelineTemplate = z
  .object({
    id: uuidOut.meta({ description: 'Its id.' }),
    ledger_id: uuidOut.meta({ description: 'Changes with every modification.' }),
    name: z.string().meta({ description: 'Its name.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    body: z.string().meta({ description: 'Its text as stored: not rendered.' }),
  })
  .meta({ id: 'TemplateTimelineEntryTemplate', description: 'A template as a change left it.' });

export const TemplateTimelineEntry = z
  .object({
    ...occasion,
    history_template: TimelineTemplate.meta({ description: 'The template as the change left it.' }),
  })
  .meta({ id: 'TemplateTimelineEntry', description: 'One change of a template.' });
export type TemplateTimelineEntry = z.infer<typeof TemplateTimelineEntry>;

export const TemplateTimeline = z
  .object({
    count: z.int().meta({ description: 'How many entries there are here.' }),
    next_as_of: nextAsOf.meta({ description: 'There are older entries: ask again with this as the point in time.' }),
    results: z.array(TemplateTimelineEntry).meta({ description: 'What happened, newest first.' }),
  })
  .meta({ id: 'TemplateTimeline', description: 'What happened to templates.' });
export type TemplateTimeline = z.infer<typeof TemplateTimeline>;

/** Of parameters. */
export const ParameterTimelineQuery = z.object({
  ...pointInTime,
  page_size: PageQuery.shape.page_size,
  versions: flagParameter(
    'Show what each change made of what, the texts of values included; secrets are masked.',
  ).default(false),
});
export type ParameterTimelineQuery = z.infer<typeof ParameterTimelineQuery>;

/** The point in time is the end of what is shown; a page is never cut within one revision. */
export const TimelineQuery = z.object({
  ...pointInTime,
  page_size: PageQuery.shape.page_size,
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;
