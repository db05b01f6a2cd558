import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const CHANGESETS_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Changeset', of: contract.RecordedChangeset }),
    declareObject({ name: 'EffectiveChange', of: contract.EffectiveChange }),
    declareObject({ name: 'ChangesetChange', of: contract.ChangesetChange }),
    declareObject({ name: 'AppliedChangeset', of: contract.AppliedChangeset }),
    declareObject({ name: 'AppliedOperation', of: contract.AppliedOperation }),
    declareObject({ name: 'ChangesetPlan', of: contract.Plan }),
    declareObject({ name: 'PlanDifference', of: contract.PlanDifference }),
    declareObject({ name: 'PlanEntriesBetween', of: contract.PlanEntryDifferences }),
    declareObject({ name: 'PlanTotals', of: contract.PlanTotals }),
    declareObject({ name: 'PlannedChange', of: contract.PlannedChange }),
    declareObject({ name: 'PlannedObject', of: contract.PlannedObject }),
    declareObject({ name: 'PlanUncovered', of: contract.Uncovered }),
    declareObject({ name: 'ErrorEntry', of: contract.ErrorEntry }),
    declareObject({ name: 'RefusedOperation', of: contract.OperationError }),
    declareObject({ name: 'BlockingReference', of: contract.BlockingReference }),
    declareObject({ name: 'AccessChange', of: contract.AccessChange }),
    declareObject({ name: 'CellAccessChange', of: contract.CellAccessChange }),
    declareObject({ name: 'RestartedExpiration', of: contract.RestartedExpiration }),
    declareObject({ name: 'ToldWebhook', of: contract.ToldWebhook }),
    declareObject({ name: 'NotifiedDestination', of: contract.NotifiedDestination }),
    declareObject({ name: 'StartedPush', of: contract.StartedPush }),
    declareObject({ name: 'ValuesSet', of: contract.PutValuesAnswer }),
    declareObject({ name: 'ValueSet', of: contract.PutValue }),
    declareObject({ name: 'RevertedChangeset', of: contract.Reverted }),
    declareObject({ name: 'RevertConflict', of: contract.RevertConflict }),
    declareObject({ name: 'NotRevertible', of: contract.NotRevertible }),
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
