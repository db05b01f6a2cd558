import { z } from 'zod';
import { RefusedOperation } from './changeset-answer.ts';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { EffectiveChange } from './effective-change.ts';
import { text } from './fields.ts';
import { PlannedObject, Uncovered } from './plan.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';

export const planHash = text({ max: CHANGESET_LIMITS.planHash, blank: 'allowed' })
  .nullable()
  .default(null)
  .meta({ description: 'Of a plan: refuse everything unless it still comes to what was planned.' });

// of an entry what tells it from the others must be there, of the rest as much as somebody has kept
const seenObject = PlannedObject.partial({ version: true }).meta({
  id: 'SeenPlanObject',
  description: 'What a plan rested on.',
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
      .meta({ description: 'Why a text cannot be evaluated; null where both can.' }),
  })
  .meta({ id: 'SeenEffectiveChange', description: 'What programs would have read differently.' });
const seenUncovered = Uncovered.partial({ project_name: true, environment_name: true }).meta({
  id: 'SeenPlanUncovered',
  description: 'What a plan could not look at.',
});
const seenRefusal = RefusedOperation.partial({ status: true, code: true, error: true }).meta({
  id: 'SeenRefusedOperation',
  description: 'An operation that would have been refused.',
});
const seenConflict = RevertConflict.partial()
  .extend({ code: RevertConflict.shape.code })
  .meta({ id: 'SeenRevertConflict', description: 'What a revert would have left as it is.' });
const seenNotRevertible = NotRevertible.partial()
  .extend({ object_type: NotRevertible.shape.object_type, object_id: NotRevertible.shape.object_id })
  .meta({ id: 'SeenNotRevertible', description: 'What a revert would not have taken back.' });

/** What of a plan is compared with another one. All else is ignored, so that it can be sent as it was answered. */
export const SeenPlan = z
  .object({
    objects: z.array(seenObject).optional().meta({ description: 'What it rests on.' }),
    effective_changes: z.array(seenChange).optional().meta({ description: 'What programs would read differently.' }),
    uncovered: z.array(seenUncovered).optional().meta({ description: 'What cannot be looked at.' }),
    refusals: z.array(seenRefusal).optional().meta({ description: 'The operations that would be refused.' }),
    conflicts: z.array(seenConflict).optional().meta({
      description: 'Of a revert: what it would leave as it is.',
    }),
    not_revertible: z.array(seenNotRevertible).optional().meta({
      description: 'Of a revert: what it does not take back.',
    }),
  })
  .meta({
    id: 'SeenPlan',
    description: 'A plan that somebody has looked at, as far as it is compared with another one.',
  });
export type SeenPlan = z.output<typeof SeenPlan>;

export const seenPlan = SeenPlan.nullable().default(null).meta({
  description: 'The plan as it was answered: then a refusal by `plan_hash` tells what is different by now.',
});
