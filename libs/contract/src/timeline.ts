import { z } from 'zod';
import { timeOut, uuidOut } from './fields.ts';
import { PageQuery, pointInTime } from './query.ts';

export const HISTORY_TYPES = ['create', 'update', 'delete', 'nothing'] as const;
export const HISTORY_MODELS = ['Parameter', 'ParameterRule', 'Value'] as const;

const HistoryType = z.enum(HISTORY_TYPES).meta({ id: 'HistoryTypeEnum' });
const HistoryModel = z.enum(HISTORY_MODELS).meta({ id: 'HistoryModelEnum' });

const occasion = {
  history_type: HistoryType,
  modified_at: timeOut,
  modified_by: z.string().meta({ description: 'A person, or `Service Account (<name>)`.' }),
};

/** An environment in which a change of a value changed what applies. */
export const TimelineEnvironment = z
  .object({
    environment_id: uuidOut,
    name: z.string(),
    override: z.boolean().meta({ description: 'The value is set in this environment itself.' }),
  })
  .meta({ id: 'ParameterTimelineEntryEnvironment' });
export type TimelineEnvironment = z.infer<typeof TimelineEnvironment>;

export const ParameterTimelineEntry = z
  .object({
    ...occasion,
    history_environments: z.array(TimelineEnvironment),
    history_model: HistoryModel,
    history_parameter: z
      .object({ parameter_id: uuidOut, name: z.string() })
      .meta({ id: 'ParameterTimelineEntryParameter' }),
  })
  .meta({ id: 'ParameterTimelineEntry' });
export type ParameterTimelineEntry = z.infer<typeof ParameterTimelineEntry>;

const nextAsOf = timeOut.optional().meta({ description: 'There are older entries: ask again with this as `as_of`.' });

export const ParameterTimeline = z
  .object({ count: z.int(), next_as_of: nextAsOf, results: z.array(ParameterTimelineEntry) })
  .meta({ id: 'ParameterTimeline' });
export type ParameterTimeline = z.infer<typeof ParameterTimeline>;

export const TemplateTimelineEntry = z
  .object({
    ...occasion,
    history_template: z
      .object({
        id: uuidOut,
        ledger_id: uuidOut,
        name: z.string(),
        description: z.string(),
        body: z.string().meta({ description: 'As stored: not rendered.' }),
      })
      .meta({ id: 'TemplateTimelineEntryTemplate' }),
  })
  .meta({ id: 'TemplateTimelineEntry' });
export type TemplateTimelineEntry = z.infer<typeof TemplateTimelineEntry>;

export const TemplateTimeline = z
  .object({ count: z.int(), next_as_of: nextAsOf, results: z.array(TemplateTimelineEntry) })
  .meta({ id: 'TemplateTimeline' });
export type TemplateTimeline = z.infer<typeof TemplateTimeline>;

/** The point in time is the end of what is shown; a page is never cut within one revision. */
export const TimelineQuery = z.object({
  ...pointInTime,
  page_size: PageQuery.shape.page_size,
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;
