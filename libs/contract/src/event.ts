import { CHANGE_ACTIONS, FEED_EVENT_TYPES, type FeedEvent } from '@strata/domain';
import { z } from 'zod';
import { timeOutput } from './fields.ts';
import { countParameter, eventTypesParameter, textParameter, uuidParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const ChangeAction = vocabulary(CHANGE_ACTIONS, {
  name: 'ChangeAction',
  description: 'The action.',
  meaning: (action) => `The action ${action}.`,
});

/** Webhooks support only the first twelve. */
export const FeedEventTypeName = vocabulary(FEED_EVENT_TYPES, {
  name: 'EventType',
  description:
    'The event types: twelve for environments, projects, parameters and values, which webhooks support, and further ones that you receive only if you request them by name.',
  meaning: (type) => {
    const noun = type.slice(0, type.lastIndexOf('_')).replaceAll('_', ' ');
    return `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun} was ${type.slice(type.lastIndexOf('_') + 1)}.`;
  },
}).meta({ id: 'EventTypeEnum' });

const named = z.object({ id: z.string(), name: z.string() }).meta({ id: 'EventSubject' });
const object = z.object({ type: z.string(), id: z.string(), name: z.string() }).meta({ id: 'EventObject' });
const actor = z.object({ id: z.string(), name: z.string(), type: z.string() }).meta({ id: 'EventActor' });

/** A change as subscribers receive it: action, object, author and time, without values. */
export const Event = z
  .object({
    cursor: z.string().meta({ description: 'Opaque cursor. Pass it as `after` to continue.' }),
    type: FeedEventTypeName,
    action: ChangeAction,
    revision: z.int(),
    at: timeOutput,
    actor,
    object,
    project: named.nullable(),
    environment: named.nullable(),
    parameter: named.nullable(),
    changeset: z.int().meta({ description: 'Revision of the changeset that contains the change.' }),
    message: z.string().nullable().meta({ description: 'Message of that changeset; null if it has none.' }),
  })
  .meta({ id: 'Event' }) satisfies z.ZodType<FeedEvent>;
export type Event = z.infer<typeof Event>;

export const EventPage = z
  .object({
    results: z.array(Event),
    cursor: z.string().meta({ description: 'Cursor for the next request, to pass as `after`.' }),
    more: z.boolean().meta({ description: 'Whether more events are available already.' }),
  })
  .meta({ id: 'EventPage' });
export type EventPage = z.infer<typeof EventPage>;

export const Bookmark = z.object({ cursor: z.string(), revision: z.int() }).meta({ id: 'EventBookmark' });
export type Bookmark = z.infer<typeof Bookmark>;

export const CLOSE_CODES = ['slow_consumer', 'draining', 'credential_revoked', 'cursor_gone'] as const;
export const StreamClose = z.object({ code: z.enum(CLOSE_CODES), detail: z.string() }).meta({ id: 'EventStreamClose' });
export type StreamClose = z.infer<typeof StreamClose>;

const EVENT_WAIT_MAX_SECONDS = 30;
const EVENT_LIMIT_MAX = 500;
const EVENT_LIMIT_DEFAULT = 100;

const filters = {
  types: eventTypesParameter,
  project: uuidParameter('Only events of this project (id).'),
  environment: uuidParameter('Only events of this environment (id).'),
};

export const EventListQuery = z.object({
  after: textParameter(
    'Cursor to continue after. `now` returns only the current cursor. Default: the oldest stored event.',
  ),
  wait: countParameter(0, EVENT_WAIT_MAX_SECONDS, 'Seconds to wait for an event if there is none yet.').default(0),
  limit: countParameter(1, EVENT_LIMIT_MAX, 'Maximum number of events in one response.').default(EVENT_LIMIT_DEFAULT),
  ...filters,
});
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventStreamQuery = z.object({
  after: textParameter(
    'Cursor to continue after. The header `Last-Event-ID` takes precedence. Default: only new events.',
  ),
  ...filters,
});
export type EventStreamQuery = z.infer<typeof EventStreamQuery>;
