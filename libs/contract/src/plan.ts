import { z } from 'zod';
import { RefusedOperation } from './changeset-answer.ts';
import { EffectiveChange } from './effective-change.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';

const named = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `Name of the ${what}.` });

export const PlannedChange = z
  .object({
    action: z.string().meta({ description: 'create, update or delete.' }),
    object_type: z.string().meta({ description: 'What kind of object, such as Value.' }),
    object_id: z.string().nullable().meta({ description: 'Its id; null of what would be made.' }),
    object_name: z.string().meta({ description: 'Its name; of a value, the name of its parameter.' }),
    project_name: named('project that it belongs to'),
    environment_name: named('environment that it is about'),
  })
  .meta({ id: 'PlannedChange', description: 'What would happen to one object: the net effect.' });
export type PlannedChange = z.infer<typeof PlannedChange>;

export const Uncovered = z
  .object({
    reason: z.string().meta({
      description:
        'Why it cannot be told: `not_evaluated` (the text cannot be evaluated), `template` (templates say what changes; their texts are not compared), `secret_not_judged` (a secret is not held against a type or a rule by a plan), `forbidden` (values that the caller may not read decide it: what would apply is not told, or applying is refused if such a value is set).',
    }),
    project_name: named('project'),
    environment_name: named('environment'),
    name: z.string().meta({ description: 'Name of the parameter or template; `*` for all parameters.' }),
  })
  .meta({ id: 'PlanUncovered', description: 'What a plan cannot look at.' });
export type Uncovered = z.infer<typeof Uncovered>;

export const BlockingReference = z
  .object({
    index: z.int().meta({ description: 'The operation that is refused for it.' }),
    project_name: z.string().meta({ description: 'Project of the text.' }),
    text: z.string().meta({ description: 'Which text: a template, or a parameter and its environment.' }),
  })
  .meta({ id: 'PlanBlockingReference', description: 'A text that refers to what would be deleted or renamed.' });
export type BlockingReference = z.infer<typeof BlockingReference>;

export const AccessChange = z
  .object({
    person: z.string().meta({ description: 'Name of the user or service account.' }),
    scope_type: z.string().meta({ description: 'project, environment or organization.' }),
    scope_name: z.string().meta({ description: 'Name of it.' }),
    before: z.string().nullable().meta({ description: 'The role that counts there now; null for none.' }),
    after: z.string().nullable().meta({ description: 'The role that would count there; null for none.' }),
  })
  .meta({ id: 'PlanAccessChange', description: 'Access that somebody would win or lose.' });
export type AccessChange = z.infer<typeof AccessChange>;

export const RestartedExpiration = z
  .object({
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    name: z.string().meta({ description: 'Name of the parameter.' }),
    expires: z.string().meta({ description: 'How long its values are good for, from when they are set.' }),
  })
  .meta({ id: 'PlanExpiration', description: 'A value whose time would begin anew.' });
export type RestartedExpiration = z.infer<typeof RestartedExpiration>;

export const ToldWebhook = z
  .object({
    id: z.string().meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
  })
  .meta({ id: 'PlanWebhook', description: 'A webhook that would be told.' });
export type ToldWebhook = z.infer<typeof ToldWebhook>;

const count = (of: string) => z.int().meta({ description: `How many ${of} there are.` });

export const PlannedObject = z
  .object({
    object: z.string().meta({ description: 'Its id; or a place that was empty, by names.' }),
    version: z.string().nullable().meta({
      description: 'Its `ledger_id`, or the revision of its last change where it has none; null where nothing was.',
    }),
  })
  .meta({ id: 'PlanObject', description: 'What a plan rests on: another version makes it outdated.' });
export type PlannedObject = z.infer<typeof PlannedObject>;

export const PlanTotals = z
  .object({
    changes: count('changes of objects'),
    objects: count('objects that it rests on'),
    effective_changes: count('effective changes'),
    uncovered: count('things that cannot be looked at'),
    refusals: count('refused operations'),
    blocking_references: count('texts that block a deletion or a renaming'),
    access: count('changes of access'),
    expirations: count('values whose time begins anew'),
    webhooks: count('webhooks that would be told'),
    conflicts: z
      .int()
      .meta({ description: 'How many objects a revert would leave as they are; of a revert alone.' })
      .optional(),
    not_revertible: z
      .int()
      .meta({ description: 'How many changes a revert does not take back; of a revert alone.' })
      .optional(),
    closed_projects: count('projects below what changes that the caller may not read'),
    closed_environments: count('environments below what changes that the caller may not read'),
    closed_references: count('blocking texts in projects that the caller may not read'),
  })
  .meta({ id: 'PlanTotals', description: 'How much there is of everything. What is closed is counted, not named.' });
export type PlanTotals = z.infer<typeof PlanTotals>;

const entries = z.array(z.record(z.string(), z.unknown()));
export const PlanEntriesBetween = z
  .object({
    new: entries.meta({ description: 'What was not in the plan that was looked at.' }),
    gone: entries.meta({ description: 'What was in it and is not any more.' }),
    other: entries.meta({ description: 'What says something else by now: as it is now.' }),
  })
  .meta({ id: 'PlanEntriesBetween', description: 'What is different in one list of two plans.' });

export const PlanDifference = z
  .object({
    parts: z.array(z.string()).meta({
      description:
        'Which parts are different: operations, objects, effective_changes, uncovered, refusals; of a revert also conflicts, not_revertible.',
    }),
    objects: PlanEntriesBetween.optional().meta({ description: 'Of what it rests on; where the plan was sent along.' }),
    effective_changes: PlanEntriesBetween.optional().meta({ description: 'Of what programs would read.' }),
    uncovered: PlanEntriesBetween.optional().meta({ description: 'Of what cannot be looked at.' }),
    refusals: PlanEntriesBetween.optional().meta({ description: 'Of the operations that are refused.' }),
    conflicts: PlanEntriesBetween.optional().meta({ description: 'Of what a revert would leave as it is.' }),
    not_revertible: PlanEntriesBetween.optional().meta({ description: 'Of what a revert does not take back.' }),
  })
  .meta({ id: 'PlanDifference', description: 'From the plan that was looked at to the one that would be made now.' });
export type PlanDifference = z.infer<typeof PlanDifference>;

export const Plan = z
  .object({
    base_revision: z.int().meta({ description: 'The revision that it was made for.' }),
    plan_hash: z
      .string()
      .meta({ description: 'Stands for all of it. Send it along to have just this done, or nothing.' }),
    totals: PlanTotals,
    changes: z.array(PlannedChange).meta({ description: 'What would happen to objects.' }),
    objects: z.array(PlannedObject).meta({ description: 'What it rests on.' }),
    effective_changes: z.array(EffectiveChange).meta({
      description: 'What programs would read differently, inherited values and evaluated texts included.',
    }),
    uncovered: z.array(Uncovered).meta({ description: 'What cannot be looked at.' }),
    refusals: z.array(RefusedOperation).meta({ description: 'The operations that would be refused, and why.' }),
    blocking_references: z.array(BlockingReference).meta({ description: 'Texts that block deletions and renamings.' }),
    access: z.array(AccessChange).meta({ description: 'Access that would be won or lost.' }),
    expirations: z.array(RestartedExpiration).meta({ description: 'Values whose time would begin anew.' }),
    webhooks: z.array(ToldWebhook).meta({ description: 'Webhooks that would be told.' }),
    conflicts: z.array(RevertConflict).optional().meta({
      description: 'Of a revert: what it would leave as it is, and why. What refuses all of it is in `refusals`.',
    }),
    not_revertible: z
      .array(NotRevertible)
      .optional()
      .meta({ description: 'Of a revert: changes of the changeset that it does not take back.' }),
  })
  .meta({
    id: 'ChangesetPlan',
    description: 'What a changeset would do. Of each kind the first 1,000; `totals` says how many there are.',
  });
export type Plan = z.infer<typeof Plan>;
