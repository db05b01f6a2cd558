import { SetMetadata } from '@nestjs/common';
import type { Ability } from '@strata/domain';
import type { FastifyRequest } from 'fastify';

export const REQUIRED = 'strata:required';
/** `nothing_or_credential`: a request needs no credential, but if it has one, it must be valid. */
export type RouteRequirement = Ability | 'nothing' | 'nothing_or_credential';

/** Declares the requirement of a route. A route without one rejects every request. */
export const Requires = (requirement: RouteRequirement) => SetMetadata(REQUIRED, requirement);

export const LONG_LIVED = 'strata:long-lived';

/** The requests of a route that wait for events: all of them, or those that the function accepts. */
export type LongLivedRequests = boolean | ((request: FastifyRequest) => boolean);

/** Marks a route whose requests wait for events. They do not count toward the limits of other requests. */
export const LongLived = (requests: LongLivedRequests = true) => SetMetadata(LONG_LIVED, requests);
