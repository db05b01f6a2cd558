import * as contract from '@strata/contract';
import { object } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const CHANGESETS: SchemaPart = {
  objects: [
    object({ name: 'Changeset', of: contract.RecordedChangeset }),
    object({ name: 'EffectiveChange', of: contract.EffectiveChange }),
    object({ name: 'ChangesetChange', of: contract.ChangesetChange }),
    object({ name: 'AppliedChangeset', of: contract.AppliedChangeset }),
    object({ name: 'AppliedOperation', of: contract.AppliedOperation }),
    object({ name: 'ChangesetPlan', of: contract.Plan }),
    object({ name: 'PlanDifference', of: contract.PlanDifference }),
    object({ name: 'PlanEntriesBetween', of: contract.PlanEntryDifferences }),
    object({ name: 'PlanTotals', of: contract.PlanTotals }),
    object({ name: 'PlannedChange', of: contract.PlannedChange }),
    object({ name: 'PlannedObject', of: contract.PlannedObject }),
    object({ name: 'PlanUncovered', of: contract.Uncovered }),
    object({ name: 'ErrorEntry', of: contract.ErrorEntry }),
    object({ name: 'RefusedOperation', of: contract.OperationError }),
    object({ name: 'BlockingReference', of: contract.BlockingReference }),
    object({ name: 'AccessChange', of: contract.AccessChange }),
    object({ name: 'RestartedExpiration', of: contract.RestartedExpiration }),
    object({ name: 'ToldWebhook', of: contract.ToldWebhook }),
    object({ name: 'NotifiedDestination', of: contract.NotifiedDestination }),
    object({ name: 'StartedPush', of: contract.StartedPush }),
    object({ name: 'ValuesSet', of: contract.PutValuesAnswer }),
    object({ name: 'ValueSet', of: contract.PutValue }),
    object({ name: 'RevertedChangeset', of: contract.Reverted }),
    object({ name: 'RevertConflict', of: contract.RevertConflict }),
    object({ name: 'NotRevertible', of: contract.NotRevertible }),
  ],
  inputs: [{ name: 'SeenPlanInput', of: contract.SeenPlan }],
  lists: [
    {
      operation: 'changesets_list',
      of: 'Changeset',
      about:
        'The changesets of the organization, newest first: every write with its author, time, message and changes.',
    },
    {
      operation: 'changesets_effective_list',
      of: 'EffectiveChange',
      about: 'The effective values that a changeset changed, including inherited values and evaluated texts.',
    },
  ],
  reads: [{ operation: 'changesets_retrieve', name: 'changeset', about: 'One changeset, by its revision.' }],
  actions: [
    {
      operation: 'changesets_create',
      name: 'applyChangeset',
      about: 'Applies several operations together or not at all, as one revision.',
    },
    {
      operation: 'changesets_plan_create',
      name: 'planChangeset',
      about: 'Plans a changeset: returns its effects without writing anything.',
    },
    {
      operation: 'changesets_revert_plan_create',
      name: 'planChangesetRevert',
      about: 'Plans the revert of a changeset: returns its effects without writing anything.',
    },
    {
      operation: 'revert_plan_create',
      name: 'planRevert',
      about: 'Plans the restore of an object: returns its effects without writing anything.',
    },
    {
      operation: 'changesets_revert_create',
      name: 'revertChangeset',
      about: 'Reverts a changeset. The revert is itself a changeset.',
    },
    {
      operation: 'revert_create',
      name: 'revert',
      about: 'Restores a project, an environment, a parameter or a value to its state at a point in time.',
    },
    {
      operation: 'projects_values_update',
      name: 'setValues',
      about: 'Sets several values of a project in one environment, by name, all or none.',
    },
  ],
};
