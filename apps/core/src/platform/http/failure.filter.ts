import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import {
  type EvaluationProblem,
  Failure,
  type FailureKind,
  PlanOutdatedError,
  PreconditionFailedError,
  type Problem,
  RevertRejectedError,
  type StepError,
  StepsRejectedError,
  sentence,
} from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isContention, isDatabaseUnavailable, isStatementTimeout } from '../postgres/constraints.ts';
import { locateError } from './error-location.ts';
import { describeFlagError, isFlagRoute } from './flag-error.ts';
import {
  acceptsProblemDetails,
  createProblem,
  PROBLEM_TYPE,
  type ProblemBody,
  problemDetails,
} from './problem-details.ts';

const STATUS: Record<FailureKind, number> = {
  unauthenticated: 401,
  bad_credential: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  cursor_gone: 410,
  precondition_failed: 412,
  too_large: 413,
  content_too_large: 507,
  unsupported_media_type: 415,
  invalid: 400,
  unprocessable: 422,
  limited: 429,
  unavailable: 503,
};

const MEBIBYTE = 1_048_576;

/**
 * Converts failures of the domain to HTTP responses; no other code knows both. An unexpected error is a bug of ours: it
 * returns 500 without detail.
 */
@Catch()
export class FailureFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const failure = toFailure(error, request.routeOptions?.bodyLimit ?? MEBIBYTE);
    if (!failure) {
      this.logger.error(`${request.id} ${request.method} ${request.routeOptions?.url ?? ''}`, formatStack(error));
      const detail = `An internal error occurred. Contact your administrator with the request id ${request.id}.`;
      reply.status(500).header('x-error-code', 'internal');
      const params = { request_id: request.id };
      void send(request, reply, describeFlagError(request, null, detail) ?? { detail }, () =>
        createProblem(500, 'internal', detail, params),
      );
      return;
    }
    if (failure.kind === 'unauthenticated') reply.header('www-authenticate', 'Api-Key, Bearer');
    if (failure.rules.length > 0) reply.header('x-error-rule', failure.rules.join(', '));
    if (failure.retryAfterSeconds !== null) reply.header('retry-after', String(failure.retryAfterSeconds));
    const status = STATUS[failure.kind];
    reply.status(status).header('x-error-code', failure.code);
    const body = describeFlagError(request, failure, failure.message) ?? createBody(failure);
    void send(request, reply, body, () => problemDetails(failure, status, locateError(failure, request)));
  }
}

/** Sends the body that existing clients parse, or problem details if the client accepts them. */
function send(request: FastifyRequest, reply: FastifyReply, body: unknown, details: () => ProblemBody) {
  const isProblem = acceptsProblemDetails(request.headers.accept) && !isFlagRoute(request);
  return isProblem ? reply.type(PROBLEM_TYPE).send(JSON.stringify(details())) : reply.send(body);
}

/** Returns a stack without the message of a database error, which may quote the statement's values. */
function formatStack(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = (error as { code?: string; driverError?: { code?: string } }).driverError?.code;
  return code
    ? `database error ${code}\n${(error.stack ?? '').split('\n').slice(-8).join('\n')}`
    : (error.stack ?? error.message);
}

/** Returns the response to a rejected request. */
export function failureResponse(failure: Failure): { readonly status: number; readonly body: unknown } {
  return { status: STATUS[failure.kind], body: createBody(failure) };
}

function createBody(failure: Failure): unknown {
  const { shape, message, problems } = failure;
  if (failure instanceof StepsRejectedError) return { detail: message, operations: failure.steps.map(plainStep) };
  if (failure instanceof PreconditionFailedError) return { detail: message, present: failure.currentVersions };
  if (failure instanceof RevertRejectedError)
    return { detail: message, conflicts: failure.conflicts.map(plainConflict) };
  if (failure instanceof PlanOutdatedError) {
    return { detail: message, difference: failure.difference, plan: failure.plan };
  }
  if (shape === 'detail') return { detail: message };
  if (shape === 'list') return problems.map((problem) => problem.message);
  if (shape === 'evaluations') return { detail: problems.map(evaluationEntry) };
  const byField = Map.groupBy(problems, ({ field }) => field);
  return Object.fromEntries(
    [...byField].map(([field, fieldProblems]) => [field, fieldProblems.map((problem) => problem.message)]),
  );
}

function plainConflict({ params: _, ...conflict }: RevertRejectedError['conflicts'][number]) {
  return conflict;
}

function plainStep({ index, status, code, rules, error }: StepError) {
  return { index, status, code, ...(rules && { rules }), error };
}

function evaluationEntry(problem: Problem | EvaluationProblem) {
  const { id, code } = 'id' in problem ? problem : { id: '', code: '' };
  return { parameter_id: id, parameter_name: problem.field, error_code: code, error_detail: problem.message };
}

function bodyTooLargeError(bytesMax: number): Failure {
  return new Failure({
    kind: 'too_large',
    code: 'body_too_large',
    message: sentence`The body is larger than ${{ limit: bytesMax / MEBIBYTE }} MiB.`,
  });
}

const FASTIFY_FAILURES: Readonly<Record<string, (bodyLimit: number) => Failure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLargeError,
  FST_REQ_FILE_TOO_LARGE: bodyTooLargeError,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Failure({
      kind: 'unsupported_media_type',
      code: 'unsupported_media_type',
      message: 'Unsupported media type. Send application/json.',
    }),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () =>
    new Failure({
      kind: 'unsupported_media_type',
      code: 'unsupported_media_type',
      message: 'Unsupported media type. Send application/json.',
    }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => Failure.invalid('malformed_body', 'The body is empty; send a JSON object.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    Failure.invalid('malformed_body', 'Content-Length does not match the body.'),
};

function toFailure(error: unknown, bodyLimit: number): Failure | null {
  if (error instanceof Failure) return error;
  if (isDatabaseUnavailable(error)) {
    return new Failure({
      kind: 'unavailable',
      code: 'database_unavailable',
      message: 'The database cannot be reached right now. Try again in a moment.',
      retryAfterSeconds: 1,
    });
  }
  if (isStatementTimeout(error)) {
    return new Failure({
      kind: 'unavailable',
      code: 'statement_timeout',
      message:
        'The database took too long for this request, so it was stopped, and nothing was stored. Request or change less at once, or try again in a moment.',
      retryAfterSeconds: 5,
    });
  }
  if (isContention(error)) {
    return new Failure({
      kind: 'unavailable',
      code: 'contention',
      message: 'Too many changes at once. Nothing was stored; try again in a moment.',
      retryAfterSeconds: 1,
    });
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const describeFailure = FASTIFY_FAILURES[code ?? ''];
  if (describeFailure) return describeFailure(bodyLimit);
  const status = error instanceof HttpException ? error.getStatus() : statusCode;
  if (status === 404) return new Failure({ kind: 'not_found', code: 'unknown_route', message: 'Not found.' });
  if (status === 413) return bodyTooLargeError(bodyLimit);
  if (status === 415)
    return new Failure({
      kind: 'unsupported_media_type',
      code: 'unsupported_media_type',
      message: 'Unsupported media type. Send application/json.',
    });
  if (status !== undefined && status >= 400 && status < 500)
    return Failure.invalid('malformed_request', 'The request is malformed.');
  return null;
}
