import { SetMetadata } from '@nestjs/common';
import type { Ability } from '@strata/domain';

export const REQUIRED = 'strata:required';
export type Requirement = Ability | 'nothing';

/** Says on the route what it takes. A route that says nothing answers nobody. */
export const Requires = (requirement: Requirement) => SetMetadata(REQUIRED, requirement);
