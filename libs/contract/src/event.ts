import { CHANGE_ACTIONS, FEED_EVENT_TYPES, type FeedEvent } from '@strata/domain';
import { z } from 'zod';
import { timeOut } from './fields.ts';
import { countParameter, eventTypesParameter, textParameter, uuidParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const ChangeAction = vocabulary(CHANGE_ACTIONS, {
  name: 'ChangeAction',
  description: 'What was done.',
  meaning: (action) => `To ${action} it.`,
});

/** Webhooks know the first twelve of them. */
export const FeedEventTypeName = vocabulary(FEED_EVENT_TYPES, {
  name: 'EventType',
  description:
    'The kinds of change that are announced: twelve of environments, projects, parameters and values, which webhooks can tell of, and further ones for who names them.',
  meaning: (type) => {
    const noun = type.slice(0, type.lastIndexOf('_')).replaceAll('_', ' ');
    return `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun} was ${type.slice(type.lastIndexOf('_') + 1)}.`;
  },
}).meta({ id: 'EventTypeEnum' });

const named = z.object({ id: z.string(), name: z.string() }).meta({ id: 'EventSubject' });
const object = z.object({ type: z.string(), id: z.string(), name: z.string() }).meta({ id: 'EventObject' });
const actor = z.object({ id: z.string(), name: z.string(), type: z.string() }).meta({ id: 'EventActor' });

/** A change as subscribers see it: what, where, who and when, never a value. */
export const Event = z
  .object({
    cursor: z.string().meta({ description: 'Opaque; ask after it to continue.' }),
    type: FeedEventTypeName,
    action: ChangeAction,
    revision: z.int(),
    at: timeOut,
    actor,
    object,
    project: named.nullable(),
    environment: named.nullable(),
    parameter: named.nullable(),
    changeset: z.int().meta({ description: 'The changeset that it was part of, by its revision.' }),
    message: z.string().nullable().meta({ description: 'Why that was made, as far as somebody said.' }),
  })
  .meta({ id: 'Event' }) satisfies z.ZodType<FeedEvent>;
export type Event = z.infer<typeof Event>;

export const EventPage = z
  .object({
    results: z.array(Event),
    cursor: z.string().meta({ description: 'Ask after this position next.' }),
    more: z.boolean().meta({ description: 'There are further events already.' }),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof EventPage>;

export const Bookmark = z.object({ cursor: z.string(), revision: z.int() }).meta({ id: 'EventBookmark' });
export type Bookmark = z.infer<typeof Bookmark>;

export const CLOSE_CODES = ['slow_consumer', 'draining', 'credential_revoked', 'cursor_gone'] as const;
export const StreamClose = z.object({ code: z.enum(CLOSE_CODES), detail: z.string() }).meta({ id: 'EventStreamClose' });
export type StreamClose = z.infer<typeof StreamClose>;

export const EVENT_WAIT_MAX_SECONDS = 30;
export const EVENT_LIMIT_MAX = 500;
export const EVENT_LIMIT_DEFAULT = 100;

const filters = {
  types: eventTypesParameter,
  project: uuidParameter('Only events of this project (id).'),
  environment: uuidParameter('Only events of this environment (id).'),
};

export const EventListQuery = z.object({
  after: textParameter('A cursor; `now` gives only the current one; absent means the oldest kept.'),
  wait: countParameter(0, EVENT_WAIT_MAX_SECONDS, 'Seconds to wait when there is nothing yet.').default(0),
  limit: countParameter(1, EVENT_LIMIT_MAX, 'Most events in one answer.').default(EVENT_LIMIT_DEFAULT),
  ...filters,
});
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventStreamQuery = z.object({
  after: textParameter('A cursor; the header `Last-Event-ID` wins over it; absent means from now on.'),
  ...filters,
});
export type EventStreamQuery = z.infer<typeof EventStreamQuery>;
