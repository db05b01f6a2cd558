import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { BatchRequest, parseBody } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import type { LimitedRequest } from '../limits/organization-limits.ts';
import { type Call, CurrentCall } from './request.ts';

/** Each may run several statements; more at once would only wait for connections, and let others wait. */
const AT_ONCE = 8;
/** Answers are held until the last one is there. */
const BYTES_MAX = 32 * 1024 * 1024;

const TOO_LARGE = {
  text: Buffer.from(
    JSON.stringify({
      status: 413,
      revision: null,
      etag: null,
      error_code: 'batch_too_large',
      retry_after: null,
      body: { detail: 'The answers before this one are long already. Ask for this one alone.' },
    }),
  ),
  revision: null,
};

/** Headers that belong to the one request that arrived, and would be wrong for those that it asks for. */
const NOT_PASSED_ON = new Set([
  ...['connection', 'content-length', 'content-type', 'transfer-encoding', 'accept-encoding', 'expect'],
  ...['if-match', 'if-none-match', 'idempotency-key'],
]);

/**
 * Many reads in one request. Each passes the guard and its route as if it had come alone, so that it has its own status
 * and nobody sees more than otherwise; only the way over the network is shared.
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
        const told = isFull() ? TOO_LARGE : answer;
        answers[at] = told;
        share?.addMemory(told.text.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests.length) }, work));
    const revisions = answers.flatMap(({ revision }) => revision ?? []);
    // nothing that follows the feed from here can miss what was written between two reads
    if (revisions.length > 0) call.reply.header('x-revision', String(Math.min(...revisions)));
    call.reply.header('content-type', 'application/json; charset=utf-8');
    return joined(answers.map(({ text }) => text));
  }
}

/** One result as it is sent. */
interface BatchAnswer {
  readonly text: Buffer;
  /** Null where a refusal has none. */
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

/** JSON goes as it is, without being read; whatever else a route answers with is no body of a batch. */
function bodyOf(answer: Awaited<ReturnType<FastifyReply['server']['inject']>>): Buffer {
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return isJson && answer.rawPayload.length > 0 ? answer.rawPayload : Buffer.from('null');
}

function joined(results: readonly Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const parts = results.flatMap((result, at) => (at === 0 ? [result] : [comma, result]));
  return Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(']}')]);
}
