import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { BatchRequest, parseBody } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import type { LimitedRequest } from '../limits/organization-limits.ts';
import { type Call, CurrentCall } from './request.ts';

/**
 * Each read may run several statements. More reads at once would only wait for connections and delay other requests.
 */
const AT_ONCE = 8;
/** The limit of all results together. They are kept in memory until the last one is complete. */
const BYTES_MAX = 32 * 1024 * 1024;

const TOO_LARGE = {
  text: Buffer.from(
    JSON.stringify({
      status: 413,
      revision: null,
      etag: null,
      error_code: 'batch_too_large',
      retry_after: null,
      body: { detail: 'The batch response would be too long. Send this request separately.' },
    }),
  ),
  revision: null,
};

/** Headers that apply to the batch request itself and not to the reads in it. */
const NOT_PASSED_ON = new Set([
  ...['connection', 'content-length', 'content-type', 'transfer-encoding', 'accept-encoding', 'expect'],
  ...['if-match', 'if-none-match', 'idempotency-key'],
]);

/**
 * Runs many reads in one request. Each read passes the guard and its route like a separate request, so it has its own
 * status and the same permissions. A batch only saves round trips.
 */
@Controller('batch')
export class BatchController {
  @Post()
  @HttpCode(200)
  @Requires('read')
  async read(@CurrentCall() call: Call, @Body() body: unknown): Promise<Buffer> {
    const { requests } = parseBody(BatchRequest, body);
    const answers: BatchAnswer[] = new Array(requests.length);
    const { share } = call.reply.request as LimitedRequest;
    let next = 0;
    let bytes = 0;
    const work = async () => {
      for (let at = next++; at < requests.length && !call.reply.raw.destroyed; at = next++) {
        const isFull = () => bytes > BYTES_MAX || share?.canAddMemory(bytes) === false;
        const answer = isFull() ? TOO_LARGE : await one(call, requests[at]?.path ?? '');
        bytes += answer.text.length;
        const result = isFull() ? TOO_LARGE : answer;
        answers[at] = result;
        share?.addMemory(result.text.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests.length) }, work));
    const revisions = answers.flatMap(({ revision }) => revision ?? []);
    // a client that follows the feed from this revision misses no write that happened between two reads
    if (revisions.length > 0) call.reply.header('x-revision', String(Math.min(...revisions)));
    call.reply.header('content-type', 'application/json; charset=utf-8');
    return joined(answers.map(({ text }) => text));
  }
}

/** The response text of one read. */
interface BatchAnswer {
  readonly text: Buffer;
  /** Null if a rejected read has no revision. */
  readonly revision: Revision | null;
}

async function one({ reply, headers }: Call, path: string): Promise<BatchAnswer> {
  const answer = await reply.server.inject({
    method: 'GET',
    url: `/api/v1/${path}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name))),
    remoteAddress: reply.request.socket.remoteAddress,
  });
  const number = (name: string) => {
    const text = answer.headers[name];
    return text === undefined ? 'null' : String(Number(text));
  };
  const text = (name: string) => JSON.stringify(answer.headers[name] ?? null);
  const head = `{"status":${answer.statusCode},"revision":${number('x-revision')},"etag":${text('etag')},"error_code":${text('x-error-code')},"retry_after":${number('retry-after')},"body":`;
  const revision = answer.headers['x-revision'];
  return {
    text: Buffer.concat([Buffer.from(head), bodyOf(answer), Buffer.from('}')]),
    revision: revision === undefined ? null : Number(revision),
  };
}

/** Copies JSON without parsing it. A batch contains no other content type. */
function bodyOf(answer: Awaited<ReturnType<FastifyReply['server']['inject']>>): Buffer {
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return isJson && answer.rawPayload.length > 0 ? answer.rawPayload : Buffer.from('null');
}

function joined(results: readonly Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const parts = results.flatMap((result, at) => (at === 0 ? [result] : [comma, result]));
  return Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(']}')]);
}
