import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DeniedRequestLog } from '../access-log/denied-request-log.ts';
import { RevealLog } from '../access-log/reveal-log.ts';
import { CredentialUses } from '../auth/credential-uses.ts';
import type { Env } from '../env.ts';
import { Heads } from '../ledger/heads.ts';
import { AnonymousRateLimit } from '../limits/anonymous-rate-limit.ts';
import { type LimitedRequest, OrganizationLimits } from '../limits/organization-limits.ts';
import { runWithinRequest } from '../limits/request-limits.ts';
import { coreObserver } from '../observer.ts';
import { ENV } from '../tokens.ts';
import { allowBrowserOrigins } from './browser-origins.ts';
import { changesSomething } from './changing-requests.ts';
import { compressResponse } from './compression.ts';
import { ReadRecorder } from './read-recorder.ts';
import { RepeatedRequests } from './repeated-requests.ts';
import type { StrataRequest } from './request.ts';
import { RequestAuthentication } from './request-authentication.ts';
import { ResponseStore } from './response-store.ts';
import { addRevision } from './revision-header.ts';
import { addParsers, answerOptions, finishHeaders, logsRequests, type ShutdownState, startResponse } from './server.ts';

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
  const [repeatedRequests, deniedRequests] = [app.get(RepeatedRequests), app.get(DeniedRequestLog)];
  const credentialUses = app.get(CredentialUses);

  // 0. Repeat: answers a request that is equal to an earlier one, unless requests are logged, measured or ending.
  const env = app.get<Env>(ENV);
  const isLogged = logsRequests(env);
  repeatedRequests.listen(fastify.server, () => shutdown.now || isLogged || coreObserver !== null);

  // 1. Admit: sets the headers of every response, and rejects what no handler would accept, before the body is read.
  const allowOrigin = allowBrowserOrigins(env.STRATA_BROWSER_ORIGINS);
  fastify.addHook('onRequest', (request, reply, done) => {
    try {
      allowOrigin(request, reply);
      startResponse(request, reply);
      if (answerOptions(request, reply)) return;
      anonymousRates.countMissingCredential(request, reply);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });

  // 2. Parse the body: the parsers of the three media types of the contract.
  const authentication = app.get(RequestAuthentication);
  addParsers(fastify, (request) => authentication.findHolder(request as StrataRequest));

  // 3. Answer from memory: sends a stored response if the caller is recognized and the organization's head has not moved.
  answerFromMemory(fastify, app.get(ResponseStore));
  // Code that reads a body continues on its connection, which has no request. Therefore the scope of the request begins here.
  fastify.addHook('preHandler', (request, _, done) => runWithinRequest(request as LimitedRequest, done));

  // 4. Authenticate, 5. apply the rates of the organization, 6. authorize: `CallerGuard`, which Nest calls for every route.
  // 7. Run: the handler of the operation (`operation-controller.ts`) validates path, query and body by the contract.
  // 8. Tag: `send-json.ts` and `conditional-requests.ts` set `ETag` and `X-Revision`, and answer 304. `FailureFilter` answers what was thrown.

  fastify.addHook('preClose', (done) => {
    shutdown.now = true;
    done();
  });
  beforeSend(fastify, [
    // 9. Send. The response is complete, except for its headers and its encoding.
    (_, reply, payload) => finishHeaders(reply, payload, shutdown),
    (request, reply, payload) => limits.release(request, reply, payload),
    (request, reply, payload) => addRevision(heads, request, reply, payload),
    // 10. Log who received a secret and whose request was denied, and remember reads.
    (request, reply, payload) => {
      revealLog.log(request, reply);
      deniedRequests.log(request, reply);
      reads.record(request, reply);
      recordChange(credentialUses, request, reply);
      return payload;
    },
    // 11. Compress: the stages before this one measure the response as it was written.
    compressResponse,
    // 12. Keep a stored response as it is sent, for requests that are equal to this one.
    (request, reply, payload) => {
      repeatedRequests.keep(request, reply, payload);
      return payload;
    },
  ]);
  fastify.addHook('onClose', () => revealLog.flush());
  fastify.addHook('onClose', () => deniedRequests.flush());
}

function answerFromMemory(fastify: FastifyInstance, responses: ResponseStore): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    try {
      const pendingResponse = responses.answer(request as StrataRequest, reply);
      if (pendingResponse === null) done();
      else pendingResponse.then((isSent) => (isSent ? undefined : done()), done);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Records that a change used the API key of its caller. */
function recordChange(uses: CredentialUses, request: StrataRequest, { statusCode }: FastifyReply): void {
  const { organizationId = '', authorization } = request.user ?? {};
  const keyPrefix = authorization?.credential.keyPrefix;
  if (keyPrefix && statusCode < 400 && changesSomething(request)) uses.ofKey(organizationId, keyPrefix, 'write');
}

type SendStage = (request: StrataRequest & LimitedRequest, reply: FastifyReply, payload: unknown) => unknown;

/** Adds the stages that run before a response is sent. Each returns the payload for the next one, or a promise of it. */
function beforeSend(fastify: FastifyInstance, stages: readonly SendStage[]): void {
  const run = (request: FastifyRequest, reply: FastifyReply, payload: unknown, first = 0): unknown => {
    let next = payload;
    for (let index = first; index < stages.length; index += 1) {
      next = (stages[index] as SendStage)(request, reply, next);
      if (next instanceof Promise) return next.then((laterPayload) => run(request, reply, laterPayload, index + 1));
    }
    return next;
  };
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const sentPayload = run(request, reply, payload);
    if (sentPayload instanceof Promise) sentPayload.then((laterPayload) => done(null, laterPayload), done);
    else done(null, sentPayload);
  });
}
