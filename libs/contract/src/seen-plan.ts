import { z } from 'zod';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { OperationError } from './changeset-response.ts';
import { EffectiveChange } from './effective-change.ts';
import { textField } from './fields.ts';
import { PlannedObject, Uncovered } from './plan.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';

export const planHash = textField({ max: CHANGESET_LIMITS.planHash, blank: 'allowed' })
  .nullable()
  .default(null)
  .meta({ description: 'Hash of a plan. The request is rejected if the plan is outdated.' });

// The schema of an entry that requires only the members that identify it. Clients can omit the others.
const seenObject = PlannedObject.partial({ version: true }).meta({
  id: 'SeenPlanObject',
  description: 'An object that the reviewed plan depends on.',
});
const seenChange = EffectiveChange.partial({
  project_id: true,
  environment_id: true,
  kind: true,
  before: true,
  after: true,
  masked: true,
})
  .extend({
    problem: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The reason why a text cannot be evaluated; null if both can be evaluated.' }),
  })
  .meta({ id: 'SeenEffectiveChange', description: 'An effective change of the reviewed plan.' });
const seenUncovered = Uncovered.partial({ project_name: true, environment_name: true }).meta({
  id: 'SeenPlanUncovered',
  description: 'An effect that the reviewed plan could not determine.',
});
const seenOperationError = OperationError.partial().extend({ index: OperationError.shape.index }).meta({
  id: 'SeenRefusedOperation',
  description: 'A rejected operation of the reviewed plan.',
});
const seenConflict = RevertConflict.partial()
  .extend({ code: RevertConflict.shape.code })
  .meta({ id: 'SeenRevertConflict', description: 'An object that the reviewed plan would not restore.' });
const seenNotRevertible = NotRevertible.partial()
  .extend({ object_type: NotRevertible.shape.object_type, object_id: NotRevertible.shape.object_id })
  .meta({ id: 'SeenNotRevertible', description: 'A change that the reviewed plan would not undo.' });

/**
 * The parts of a plan that are compared. Other members are ignored, so clients can send back the plan that they
 * received.
 */
export const SeenPlan = z
  .object({
    objects: z.array(seenObject).optional().meta({ description: 'The objects that the plan depends on.' }),
    effective_changes: z.array(seenChange).optional().meta({ description: 'The effective changes.' }),
    uncovered: z.array(seenUncovered).optional().meta({ description: 'The effects that cannot be determined.' }),
    refusals: z.array(seenOperationError).optional().meta({ description: 'The operations that would be rejected.' }),
    conflicts: z.array(seenConflict).optional().meta({
      description: 'For a revert: the objects that it would not restore.',
    }),
    not_revertible: z.array(seenNotRevertible).optional().meta({
      description: 'For a revert: the changes that it would not undo.',
    }),
  })
  .meta({
    id: 'SeenPlan',
    description: 'A reviewed plan, with the members that are compared with the current one.',
  });
export type SeenPlan = z.output<typeof SeenPlan>;

export const seenPlan = SeenPlan.nullable().default(null).meta({
  description:
    'The plan as you received it. If the request is rejected because of `plan_hash`, the response then lists the differences.',
});
