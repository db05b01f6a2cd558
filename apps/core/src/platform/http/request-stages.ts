import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DeniedRequestLog } from '../access-log/denied-request-log.ts';
import { RevealLog } from '../access-log/reveal-log.ts';
import type { Env } from '../env.ts';
import { Heads } from '../ledger/heads.ts';
import { AnonymousRateLimit } from '../limits/anonymous-rate-limit.ts';
import { type LimitedRequest, OrganizationLimits } from '../limits/organization-limits.ts';
import { withinRequest } from '../limits/request-limits.ts';
import { ENV } from '../tokens.ts';
import { allowBrowserOrigins } from './browser-origins.ts';
import { compressResponse } from './compression.ts';
import { ReadRecorder } from './reads.ts';
import type { StrataRequest } from './request.ts';
import { RequestAuthentication } from './request-authentication.ts';
import { ResponseStore } from './response-store.ts';
import { addRevision } from './revision-header.ts';
import { addParsers, answerOptions, finishHeaders, type ShutdownState, startResponse } from './server.ts';

/**
 * Names the stages of a request in the order in which they run. Fastify runs the hooks of one kind in the order of
 * these calls, so moving a line changes the order.
 *
 * A batch passes each of its requests through all stages again.
 */
export function addRequestStages(app: NestFastifyApplication, shutdown: ShutdownState): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const [anonymousRates, limits] = [app.get(AnonymousRateLimit), app.get(OrganizationLimits)];
  const [heads, revealLog, reads] = [app.get(Heads), app.get(RevealLog), app.get(ReadRecorder)];
  const [responses, deniedRequests] = [app.get(ResponseStore), app.get(DeniedRequestLog)];

  // 1. Admit: sets the headers of every response, and rejects what no handler would accept, before the body is read.
  beforeBody(fastify, allowBrowserOrigins(app.get<Env>(ENV).STRATA_BROWSER_ORIGINS));
  beforeBody(fastify, startResponse);
  fastify.addHook('onRequest', answerOptions);
  beforeBody(fastify, (request, reply) => anonymousRates.countMissingCredential(request, reply));

  // 2. Parse the body: the parsers of the three media types of the contract.
  const authentication = app.get(RequestAuthentication);
  addParsers(fastify, (request) => authentication.findHolder(request as StrataRequest));

  // 3. Answer from memory: sends a stored response if the caller is recognized and the organization's head has not moved.
  fastify.addHook('preHandler', (request, reply, done) => {
    try {
      const answered = responses.answer(request as StrataRequest, reply);
      if (answered === null) done();
      else answered.then((isSent) => (isSent ? undefined : done()), done);
    } catch (error) {
      done(error as Error);
    }
  });
  // Code that reads a body continues on its connection, which has no request. Therefore the scope of the request begins here.
  fastify.addHook('preHandler', (request, _, done) => withinRequest(request as LimitedRequest, done));

  // 4. Authenticate, 5. apply the rates of the organization, 6. authorize: `CallerGuard`, which Nest calls for every route.
  // 7. Run: the handler of the operation (`operation-controller.ts`) validates path, query and body by the contract.
  // 8. Tag: `send-json.ts` and `conditional.ts` set `ETag` and `X-Revision`, and answer 304. `FailureFilter` answers what was thrown.

  // 9. Send. The response is complete, except for its headers and its encoding.
  fastify.addHook('preClose', (done) => {
    shutdown.now = true;
    done();
  });
  beforeSend(fastify, (_, reply, payload) => finishHeaders(reply, payload, shutdown));
  beforeSend(fastify, (request, reply, payload) => limits.release(request as LimitedRequest, reply, payload));
  beforeSend(fastify, (request, reply, payload) => addRevision(heads, request as StrataRequest, reply, payload));

  // 10. Log who received a secret and whose request was denied, and remember reads.
  beforeSend(fastify, (request, reply, payload) => {
    revealLog.log(request as StrataRequest, reply);
    deniedRequests.log(request as StrataRequest, reply);
    reads.record(request as StrataRequest, reply);
    return payload;
  });
  fastify.addHook('onClose', () => revealLog.flush());
  fastify.addHook('onClose', () => deniedRequests.flush());

  // 11. Compress: the stages before this one measure the response as it was written.
  beforeSend(fastify, compressResponse);
}

/** Adds a stage that runs when the headers have arrived. If it throws, the request is rejected. */
function beforeBody(fastify: FastifyInstance, stage: (request: FastifyRequest, reply: FastifyReply) => void): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      stage(request, reply);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}

type SendStage = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown;

/** Adds a stage that runs before a response is sent. It returns the payload to send, or a promise of it. */
function beforeSend(fastify: FastifyInstance, stage: SendStage): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const sent = stage(request, reply, payload);
    if (sent instanceof Promise) sent.then((later) => done(null, later), done);
    else done(null, sent);
  });
}
