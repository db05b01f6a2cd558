import { SetMetadata } from '@nestjs/common';
import type { Ability } from '@strata/domain';

export const REQUIRED = 'strata:required';
/** `nothing_or_credential`: a stranger may ask, but whoever shows a credential must show a good one. */
export type RouteRequirement = Ability | 'nothing' | 'nothing_or_credential';

/** Says on the route what it takes. A route that says nothing answers nobody. */
export const Requires = (requirement: RouteRequirement) => SetMetadata(REQUIRED, requirement);

export const LONG_LIVED = 'strata:long-lived';

/** Says of a route that its requests wait for something to happen: they take no part in what those that work share. */
export const LongLived = () => SetMetadata(LONG_LIVED, true);
