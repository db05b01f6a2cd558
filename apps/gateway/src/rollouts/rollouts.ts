import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const ROLLOUTS_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Rollout', of: contract.Rollout }),
    declareObject({ name: 'RolloutInstance', of: contract.RolloutInstance }),
    declareObject({ name: 'RolloutAccount', of: contract.RolloutAccount }),
  ],
  reads: [
    {
      operation: 'rollouts_list',
      name: 'rollout',
      about:
        'Compares what the instances of programs report with the configuration of a project in an environment; null if the caller cannot access either of them.',
    },
  ],
  actions: [
    {
      operation: 'rollouts_create',
      name: 'reportInstance',
      about: 'Reports the configuration that an instance of a program runs or rejects.',
    },
  ],
};
