import { type FlagErrorBody, type FlagErrorCode, OPERATIONS } from '@strata/contract';
import type { Failure } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import { toRoute } from './operation-controller.ts';

const withoutSlash = (path: string) => path.replace(/\/$/, '');

const ROUTES: ReadonlySet<string> = new Set(
  OPERATIONS.filter(({ protocol }) => protocol === 'ofrep').map(({ path }) => withoutSlash(toRoute(path))),
);

/** Returns whether a request uses the OpenFeature Remote Evaluation Protocol. */
export function isFlagRoute(request: FastifyRequest): boolean {
  return ROUTES.has(withoutSlash(request.routeOptions?.url ?? ''));
}

/**
 * Returns the body of an error in the shape of the OpenFeature Remote Evaluation Protocol. Returns null if the request
 * does not use the protocol.
 */
export function describeFlagError(
  request: FastifyRequest,
  failure: Failure | null,
  message: string,
): FlagErrorBody | null {
  if (!isFlagRoute(request)) return null;
  const { key } = (request.params ?? {}) as { readonly key?: string };
  const keyMember = key !== undefined && { key };
  return { detail: message, ...keyMember, errorCode: chooseErrorCode(failure, key), errorDetails: message };
}

function chooseErrorCode(failure: Failure | null, key: string | undefined): FlagErrorCode {
  if (failure?.kind === 'not_found' && key !== undefined) return 'FLAG_NOT_FOUND';
  if (failure?.kind !== 'invalid' || failure.code === 'evaluation_failed') return 'GENERAL';
  return failure.problems.some(({ field }) => field === 'context') ? 'INVALID_CONTEXT' : 'PARSE_ERROR';
}
