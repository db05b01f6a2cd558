import { SetMetadata } from '@nestjs/common';
import type { Ability } from '@strata/domain';
import type { FastifyRequest } from 'fastify';

export const REQUIRED = 'strata:required';
/** `nothing_or_credential`: a request needs no credential, but if it has one, it must be valid. */
export type RouteRequirement = Ability | 'nothing' | 'nothing_or_credential';

/** Declares the requirement of a route. A route without one rejects every request. */
export const Requires = (requirement: RouteRequirement) => SetMetadata(REQUIRED, requirement);

export const LONG_LIVED = 'strata:long-lived';

/** How a request waits: a stream limits itself, a poll reads and responds like other requests when its wait is over. */
export type Waiting = 'stream' | 'poll' | null;
export type ReadWaitingMode = (request: FastifyRequest) => Waiting;
type Condition = (request: FastifyRequest) => boolean;

/** Marks a route whose requests, or those that fulfil the condition, wait for events. They count in rates only. */
export const LongLived = (isWaiting: Condition = () => true) =>
  SetMetadata<string, ReadWaitingMode>(LONG_LIVED, (request) => (isWaiting(request) ? 'stream' : null));

/**
 * Marks a route whose requests wait for events if they fulfil the condition. They do not count as requests in progress,
 * but have a share of connections, processor time and memory; call `pause` of their limits before they wait.
 */
export const LongPoll = (isWaiting: Condition) =>
  SetMetadata<string, ReadWaitingMode>(LONG_LIVED, (request) => (isWaiting(request) ? 'poll' : null));
