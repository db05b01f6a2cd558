import { createHash } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { EffectiveStreamQuery, parseQuery } from '@strata/contract';
import { decodeEffectiveCursor, type EffectivePosition, Failure, type ProjectId } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { RevealLog } from '../../../platform/access-log/reveal-log.ts';
import { LongLived, Requires } from '../../../platform/auth/requires.ts';
import { CACHE_CONTROL, NO_STORE } from '../../../platform/http/conditional-requests.ts';
import { pathId } from '../../../platform/http/links.ts';
import { ReadRecorder } from '../../../platform/http/read-recorder.ts';
import { type Call, CurrentCall, type StrataRequest } from '../../../platform/http/request.ts';
import { Heads } from '../../../platform/ledger/heads.ts';
import { requireReveal } from '../../../platform/limits/request-limits.ts';
import { Listeners } from '../../feed/listeners.ts';
import { StreamSocket, StreamTimes } from '../../feed/stream-socket.ts';
import { EffectiveCache } from '../../snapshot/effective-cache.ts';
import { ConfigurationLedger } from './changed-scopes.ts';
import { ConfigurationStates, type StreamSelection } from './configuration-states.ts';
import { EffectiveStream } from './effective-stream.ts';
import { FollowedConfigurations } from './followed-configurations.ts';

@Controller('projects/:id/effective/stream')
export class EffectiveStreamController {
  constructor(
    private readonly listeners: Listeners,
    private readonly configurations: FollowedConfigurations,
    private readonly states: ConfigurationStates,
    private readonly ledger: ConfigurationLedger,
    private readonly views: EffectiveCache,
    private readonly heads: Heads,
    private readonly revealLog: RevealLog,
    private readonly reads: ReadRecorder,
    private readonly times: StreamTimes,
  ) {}

  /** Streams server-sent events until the client or the core ends the connection. */
  @Get()
  @Requires('read')
  @LongLived()
  async stream(
    @CurrentCall() call: Call,
    @Param('id') id: string,
    @Req() request: StrataRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = parseQuery(EffectiveStreamQuery, call.query);
    const after = parsePosition([request.headers['last-event-id']].flat()[0] || query.after);
    if (query.reveal) requireReveal();
    const selection = await this.selection(call, pathId('Project', id), query);
    const configuration = await this.configurations.join(selection, call.caller);
    let isHandedOver = false;
    try {
      reply.header('x-revision', String(configuration.processed.revision)).headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': `${query.reveal ? NO_STORE : CACHE_CONTROL}, no-transform`,
        'x-accel-buffering': 'no',
      });
      if (request.method === 'HEAD') return void reply.send('');
      const listening = this.listeners.join(request, reply.raw, call.caller);
      try {
        reply.hijack();
        // The connection ends with the stream, so clients must not reuse it.
        reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), connection: 'close' });
        const socket = new StreamSocket(reply.raw, listening.signal, this.times);
        const { projectId: project, environmentId: environment, names } = selection;
        const recordReveal = () => this.revealLog.record(request);
        const recordRead = () => this.reads.noteRead(call.caller, { project, environment, names: names ?? [] });
        const selectionKey = buildSelectionKey(selection);
        const connection = { selection, selectionKey, after, socket, listening, recordReveal, recordRead };
        const { configurations, states, ledger, times } = this;
        isHandedOver = true;
        await new EffectiveStream(connection, { followed: configurations, states, ledger, times }).run(
          configuration,
          call.caller,
        );
      } finally {
        listening.leave();
      }
    } finally {
      if (!isHandedOver) configuration.leave();
    }
  }

  private async selection(
    { caller }: Call,
    projectId: ProjectId,
    query: EffectiveStreamQuery,
  ): Promise<StreamSelection> {
    const { organizationId } = caller;
    const target = { organizationId, projectId, environment: query.environment ?? 'default', name: undefined };
    const { content } = await this.views.now(target, await this.heads.required(organizationId), caller);
    const names = query.name__in ? query.name__in.toSorted() : null;
    return { organizationId, projectId, environmentId: content.environment.id, names, reveal: query.reveal };
  }
}

function parsePosition(cursor: string | undefined): EffectivePosition | null {
  if (!cursor) return null;
  const position = decodeEffectiveCursor(cursor);
  if (position === null) {
    throw Failure.field(
      'invalid_cursor',
      'after',
      'This is not a cursor of this stream. Omit it to start with a snapshot.',
    );
  }
  return position;
}

function buildSelectionKey({ projectId, environmentId, names, reveal }: StreamSelection): string {
  const text = JSON.stringify([projectId, environmentId, names, reveal]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
