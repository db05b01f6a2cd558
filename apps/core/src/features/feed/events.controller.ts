import { Controller, Get, Req, Res } from '@nestjs/common';
import { EventListQuery, type EventPage, EventStreamQuery, parseQuery } from '@strata/contract';
import { canReceive, encodeCursor, isRequestedType, type Position, type Revision } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { LongLived, Requires } from '../../platform/auth/requires.ts';
import type { Call, StrataRequest } from '../../platform/http/request.ts';
import { CurrentCall } from '../../platform/http/request.ts';
import type { LedgerEvent, LedgerPage } from '../../platform/ledger/ledger.ts';
import { EventStream } from './event-stream.ts';
import { FeedService } from './feed.service.ts';
import { type ListenerSession, Listeners } from './listeners.ts';
import { StreamTimes } from './stream-socket.ts';

type Filters = Pick<EventListQuery, 'types' | 'project' | 'environment'>;

/**
 * The number of pages that one request reads at most. A filter that matches few events could otherwise read a long
 * history.
 */
const PAGES_PER_REQUEST = 20;

@Controller('events')
export class EventsController {
  constructor(
    private readonly feed: FeedService,
    private readonly listeners: Listeners,
    private readonly times: StreamTimes,
  ) {}

  /** Returns one page. With `wait`, waits until an event matches. */
  @Get()
  @Requires('read')
  @LongLived()
  async list(@CurrentCall() call: Call, @Req() request: StrataRequest): Promise<EventPage> {
    const { organizationId } = call.caller;
    const query = parseQuery(EventListQuery, call.query);
    const position = await this.feed.position(organizationId, query.after);
    if (query.after === 'now') return pageAt(call, position, position.revision);
    const listening = this.listeners.join(request, call.reply.raw, call.caller);
    try {
      return await this.collect(call, listening, position, query);
    } finally {
      listening.leave();
    }
  }

  /** Streams server-sent events until the client or the core ends the connection. */
  @Get('stream')
  @Requires('read')
  @LongLived()
  async stream(@CurrentCall() call: Call, @Req() request: StrataRequest, @Res() reply: FastifyReply): Promise<void> {
    const { organizationId } = call.caller;
    const query = parseQuery(EventStreamQuery, call.query);
    const lastEventId = [request.headers['last-event-id']].flat()[0];
    const position = await this.feed.position(organizationId, lastEventId || query.after || 'now');
    const { revision } = await this.feed.page(organizationId, position); // Returns 410 while the response can still have that status.
    reply.header('x-revision', String(revision)).headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    if (request.method === 'HEAD') return void reply.send('');
    const listening = this.listeners.join(request, reply.raw, call.caller);
    const reader = this.feed.follow(organizationId, position);
    try {
      reply.hijack();
      // The connection ends with the stream, so clients must not reuse it.
      reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), connection: 'close' });
      await new EventStream(reply.raw, listening, (page) => receivable(listening, page, query), this.times).run(reader);
    } finally {
      reader.leave();
      listening.leave();
    }
  }

  private async collect(
    call: Call,
    listening: ListenerSession,
    start: Position,
    { wait, limit, ...filters }: EventListQuery,
  ): Promise<EventPage> {
    const { organizationId } = call.caller;
    const reader = this.feed.follow(organizationId, start);
    const until = performance.now() + wait * 1_000;
    try {
      for (let pages = 1; ; pages += 1) {
        const page = await reader.next(until - performance.now(), listening.signal);
        const events = await receivable(listening, page, filters);
        if (listening.closeCode === 'credential_revoked') throw badCredentialError();
        const results = events.slice(0, limit);
        const isCut = results.length < events.length;
        const position = isCut ? (results.at(-1) as LedgerEvent).position : page.position;
        const isOver = listening.signal.aborted || performance.now() >= until;
        if (results.length > 0 || pages >= PAGES_PER_REQUEST || (!page.more && isOver)) {
          return pageAt(call, position, page.revision, results, isCut || page.more);
        }
      }
    } finally {
      reader.leave();
    }
  }
}

function pageAt(
  { reply }: Call,
  position: Position,
  revision: Revision,
  results: readonly LedgerEvent[] = [],
  hasMore = false,
): EventPage {
  reply.header('x-revision', String(revision));
  return { results: results.map(({ event }) => event), cursor: encodeCursor(position), more: hasMore };
}

/** Returns the events of a page that the subscriber requested and currently may read. */
async function receivable(
  listening: ListenerSession,
  { events, people }: LedgerPage,
  { types, project, environment }: Filters,
): Promise<readonly LedgerEvent[]> {
  const requestedEvents = events.filter(
    ({ event }) =>
      isRequestedType(event.type, types) &&
      (project === undefined || event.project?.id === project) &&
      (environment === undefined || event.environment?.id === environment),
  );
  const listener = requestedEvents.length === 0 ? null : await listening.permissions(people);
  if (listener === null) return [];
  const { organizationId } = listener;
  return requestedEvents.filter(({ event }) => canReceive(listener, { organizationId, event }));
}
