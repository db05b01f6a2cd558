import { Bookmark, Event, type EventPage, StreamClose } from '@strata/contract';
import type { FeedEventType } from '@strata/domain';
import type { EventSourceMessage } from 'eventsource-parser';
import { coreUnreachableError } from './failure.ts';
import { type CursorStream, type FollowOptions, followStream, readStream, type StreamOptions } from './follow.ts';
import { findRoute } from './operations.ts';
import type { Transport } from './transport.ts';

interface EventFilter {
  readonly types?: readonly FeedEventType[];
  readonly project?: string;
  readonly environment?: string;
}

export type FollowMessage =
  | { readonly kind: 'change'; readonly event: Event }
  | ({ readonly kind: 'bookmark' } & Bookmark);
export type StreamMessage = FollowMessage | ({ readonly kind: 'close' } & StreamClose);

/** The events of the organization that the core authorizes for this credential. */
export class Events {
  constructor(private readonly transport: Transport) {}

  /** Returns one page; with `wait`, a long poll of up to thirty seconds. */
  async list(
    query: EventFilter & { readonly after?: string; readonly wait?: number; readonly limit?: number } = {},
    signal?: AbortSignal,
  ): Promise<EventPage> {
    const { body } = await this.transport.send<EventPage>({ ...findRoute('events_list'), query: { ...query }, signal });
    if (body === null) throw coreUnreachableError();
    return body;
  }

  /** Yields the messages of one connection, from the first bookmark on. */
  stream(options: StreamOptions & EventFilter = {}): AsyncGenerator<StreamMessage, void, undefined> {
    return readStream(this.transport, eventStream(options), options) as AsyncGenerator<StreamMessage, void, undefined>;
  }

  /** Follows the events across interruptions. Without a cursor, it starts with the next event. */
  follow(options: FollowOptions & EventFilter = {}): AsyncGenerator<FollowMessage, void, undefined> {
    return followStream(this.transport, eventStream(options), options);
  }
}

function eventStream({ types, project, environment }: EventFilter): CursorStream<FollowMessage> {
  return {
    path: findRoute('events_stream').path,
    query: { types, project, environment },
    parse: streamMessage,
    readCursor: (message) => (message.kind === 'change' ? message.event.cursor : message.cursor),
  };
}

/** A core of the previous version does not send changesets. */
function parseEvent(data: { readonly revision?: unknown }): Event {
  return Event.parse({ changeset: data.revision, message: null, ...data });
}

function streamMessage({ event, data }: EventSourceMessage): StreamMessage | null {
  if (event === 'change') return { kind: 'change', event: parseEvent(JSON.parse(data)) };
  if (event === 'bookmark') return { kind: 'bookmark', ...Bookmark.parse(JSON.parse(data)) };
  if (event === 'close') return { kind: 'close', ...StreamClose.parse(JSON.parse(data)) };
  return null;
}
