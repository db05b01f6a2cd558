import { Controller, Get, Req, Res } from '@nestjs/common';
import { AuditStreamQuery, parseQuery } from '@strata/contract';
import { decodeAuditCursor, Failure, type OrganizationId, sentence } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { LongLived, Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall, type StrataRequest } from '../../platform/http/request.ts';
import { Listeners } from '../feed/listeners.ts';
import { StreamTimes } from '../feed/stream-socket.ts';
import { AuditRecords, auditCursorGoneError } from './audit-records.ts';
import { AuditStream } from './audit-stream.ts';

/** Each open stream reads the database once a second. */
const STREAMS_MAX = 10;

@Controller('audit/stream')
export class AuditStreamController {
  private readonly open = new Map<OrganizationId, number>();

  constructor(
    private readonly records: AuditRecords,
    private readonly listeners: Listeners,
    private readonly times: StreamTimes,
  ) {}

  @Get()
  @Requires('read_audit_stream')
  @LongLived()
  async stream(@CurrentCall() call: Call, @Req() request: StrataRequest, @Res() reply: FastifyReply): Promise<void> {
    const { organizationId } = call.caller;
    const { after, since, follow } = parseQuery(AuditStreamQuery, call.query);
    const position =
      after === undefined ? await this.records.beginning(organizationId, since) : decodeAuditCursor(after);
    if (position === null) throw auditCursorGoneError();
    // Returns 410 while the response can still have that status.
    const first = await this.records.after(organizationId, position);
    const leave = request.method === 'HEAD' ? null : this.enter(organizationId);
    reply.header('x-revision', String(first.revision)).headers({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    if (leave === null) return void reply.send('');
    const listening = this.listeners.join(request, reply.raw, call.caller);
    try {
      reply.hijack();
      // The connection ends with the stream, so clients must not reuse it.
      reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), connection: 'close' });
      const read = this.records.after.bind(this.records, organizationId);
      await new AuditStream(reply.raw, listening, read, this.times).run(first, follow);
    } finally {
      listening.leave();
      leave();
    }
  }

  private enter(organizationId: OrganizationId): () => void {
    const count = this.open.get(organizationId) ?? 0;
    if (count >= STREAMS_MAX) throw tooManyStreamsError();
    this.open.set(organizationId, count + 1);
    return () => {
      const left = (this.open.get(organizationId) ?? 1) - 1;
      if (left > 0) this.open.set(organizationId, left);
      else this.open.delete(organizationId);
    };
  }
}

function tooManyStreamsError(): Failure {
  return new Failure({
    kind: 'limited',
    code: 'too_many_streams',
    message: sentence`At most ${{ limit: STREAMS_MAX }} audit streams of an organization can be open. Close one, and try again.`,
    retryAfterSeconds: 10,
  });
}
