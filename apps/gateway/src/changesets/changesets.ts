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
    object({ name: 'PlanEntriesBetween', of: contract.PlanEntriesBetween }),
    object({ name: 'PlanTotals', of: contract.PlanTotals }),
    object({ name: 'PlannedChange', of: contract.PlannedChange }),
    object({ name: 'PlannedObject', of: contract.PlannedObject }),
    object({ name: 'PlanUncovered', of: contract.Uncovered }),
    object({ name: 'RefusedOperation', of: contract.RefusedOperation }),
    object({ name: 'BlockingReference', of: contract.BlockingReference }),
    object({ name: 'AccessChange', of: contract.AccessChange }),
    object({ name: 'RestartedExpiration', of: contract.RestartedExpiration }),
    object({ name: 'ToldWebhook', of: contract.ToldWebhook }),
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
      about: 'Every write of the organization, newest first: who, when, why and what.',
    },
    {
      operation: 'changesets_effective_list',
      of: 'EffectiveChange',
      about: 'What programs read differently since a changeset, inherited values and evaluated texts included.',
    },
  ],
  reads: [{ operation: 'changesets_retrieve', name: 'changeset', about: 'One of them, by its revision.' }],
  actions: [
    {
      operation: 'changesets_create',
      name: 'applyChangeset',
      about: 'Carries out many changes as one: one revision, all or nothing.',
    },
    {
      operation: 'changesets_plan_create',
      name: 'planChangeset',
      about: 'Tells what a changeset would do. Nothing is written.',
    },
    {
      operation: 'changesets_revert_plan_create',
      name: 'planChangesetRevert',
      about: 'Tells what taking a changeset back would do. Nothing is written.',
    },
    {
      operation: 'revert_plan_create',
      name: 'planRevert',
      about: 'Tells what making something what it was would do. Nothing is written.',
    },
    {
      operation: 'changesets_revert_create',
      name: 'revertChangeset',
      about: 'Takes a changeset back, against what is there today. It is a changeset itself.',
    },
    {
      operation: 'revert_create',
      name: 'revert',
      about: 'Makes a project, an environment, a parameter or a value what it was at some point in time.',
    },
    {
      operation: 'projects_values_update',
      name: 'setValues',
      about: 'Sets many values of a project in one environment, by names, all or nothing.',
    },
  ],
};
