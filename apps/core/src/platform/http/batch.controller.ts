import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { type BatchedRead, BatchRequest, INSTANCE_HEADER, parseBody } from '@strata/contract';
import { etagMatches, type Revision } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import { type LimitedRequest, OrganizationLimits } from '../limits/organization-limits.ts';
import { coreObserver } from '../observer.ts';
import { CACHE_CONTROL, NO_STORE } from './conditional-requests.ts';
import { acceptsProblemDetails, createProblem } from './problem-details.ts';
import { ReadRecorder } from './read-recorder.ts';
import { type Call, CurrentCall } from './request.ts';
import { ResponseStore } from './response-store.ts';

/**
 * Each read may run several statements. More reads at once would only wait for connections and delay other requests.
 */
const AT_ONCE = 8;
/** The limit of all results together. They are kept in memory until the last one is complete. */
const BYTES_MAX = 32 * 1024 * 1024;

/** The response to one read. */
interface BatchAnswer {
  readonly status: number;
  /** Null if a rejected read has no revision. */
  readonly revision: Revision | null;
  readonly etag: unknown;
  readonly cacheControl: unknown;
  readonly errorCode: unknown;
  readonly retryAfter: number | null;
  /** The text is JSON. */
  readonly body: Buffer;
}

/** The body of a response without one. */
const NO_BODY = Buffer.from('null');
const TOO_LARGE = 'The batch response would be too long. Send this request separately.';

function tooLarge({ headers }: Call): BatchAnswer {
  const [status, code] = [413, 'batch_too_large'];
  const body = acceptsProblemDetails(headers.accept) ? createProblem(status, code, TOO_LARGE) : { detail: TOO_LARGE };
  const response = { status, revision: null, etag: null, cacheControl: null, errorCode: code, retryAfter: null };
  return { ...response, body: Buffer.from(JSON.stringify(body)) };
}

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
  constructor(
    private readonly responses: ResponseStore,
    private readonly limits: OrganizationLimits,
    private readonly reads: ReadRecorder,
  ) {}

  @Post()
  @HttpCode(200)
  @Requires('read')
  async read(@CurrentCall() call: Call, @Body() body: unknown): Promise<Buffer> {
    const { requests } = parseBody(BatchRequest, body);
    const responses: BatchAnswer[] = new Array(requests.length);
    const { share } = call.reply.request as LimitedRequest;
    let next = 0;
    let bytes = 0;
    const work = async () => {
      for (let at = next++; at < requests.length && !call.reply.raw.destroyed; at = next++) {
        const isFull = () => bytes > BYTES_MAX || share?.canAddMemory(bytes) === false;
        const answer = isFull() ? tooLarge(call) : await this.respondTo(call, requests[at] as BatchedRead);
        bytes += answer.body.length;
        const result = isFull() ? tooLarge(call) : answer;
        responses[at] = result;
        share?.addMemory(result.body.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests.length) }, work));
    const revisions = responses.flatMap(({ revision }) => revision ?? []);
    // a client that follows the feed from this revision misses no write that happened between two reads
    if (revisions.length > 0) call.reply.header('x-revision', String(Math.min(...revisions)));
    if (responses.some(({ cacheControl }) => cacheControl === NO_STORE)) call.reply.header('cache-control', NO_STORE);
    call.reply.header('content-type', 'application/json; charset=utf-8');
    return joined(responses);
  }

  /** A stored response needs no request of its own. */
  private async respondTo(call: Call, read: BatchedRead): Promise<BatchAnswer> {
    const url = `/api/v1/${read.path}`;
    // The handler records the instance that reads.
    const isOfInstance = call.headers[INSTANCE_HEADER] !== undefined;
    const storedResponse = isOfInstance ? null : await this.responses.current(call, url);
    if (!storedResponse || !this.limits.countRead(call.caller)) return requested(call, url, read.if_none_match);
    const { etag, head } = storedResponse;
    coreObserver?.storedResponse();
    this.reads.recordStored(call.caller, url);
    const isCopyCurrent = etagMatches(read.if_none_match, etag);
    return {
      ...{ status: isCopyCurrent ? 304 : 200, revision: head.revision, etag, cacheControl: CACHE_CONTROL },
      ...{ errorCode: null, retryAfter: null, body: isCopyCurrent ? NO_BODY : storedResponse.body.bytes },
    };
  }
}

async function requested({ reply, headers }: Call, url: string, ifNoneMatch: string | undefined): Promise<BatchAnswer> {
  const passedOn = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name));
  const response = await reply.server.inject({
    method: 'GET',
    url,
    headers: { ...Object.fromEntries(passedOn), ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
    remoteAddress: reply.request.socket.remoteAddress,
  });
  const number = (name: string) => (response.headers[name] === undefined ? null : Number(response.headers[name]));
  const text = (name: string) => response.headers[name] ?? null;
  return {
    ...{ status: response.statusCode, revision: number('x-revision') },
    ...{ etag: text('etag'), cacheControl: text('cache-control') },
    ...{ errorCode: text('x-error-code'), retryAfter: number('retry-after'), body: readBody(response) },
  };
}

/** Copies JSON without parsing it. A batch contains no other content type. */
function readBody(response: Awaited<ReturnType<FastifyReply['server']['inject']>>): Buffer {
  const isJson = /^application\/(problem\+)?json/.test(String(response.headers['content-type']));
  return isJson && response.rawPayload.length > 0 ? response.rawPayload : NO_BODY;
}

/** Returns the text of the whole response. Each body is copied only once. */
function joined(responses: readonly BatchAnswer[]): Buffer {
  const results = responses.flatMap(({ status, revision, etag, cacheControl, errorCode, retryAfter, body }, index) => {
    const members = {
      ...{ status, revision, etag, cache_control: cacheControl, error_code: errorCode, retry_after: retryAfter },
    };
    const before = index === 0 ? '{"results":[' : '},';
    return [Buffer.from(`${before}${JSON.stringify(members).slice(0, -1)},"body":`), body];
  });
  return Buffer.concat([...results, Buffer.from('}]}')]);
}
