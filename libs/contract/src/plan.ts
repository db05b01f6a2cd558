import { CELL_ACTIONS } from '@strata/domain';
import { z } from 'zod';
import { OperationError } from './changeset-response.ts';
import { EffectiveChange } from './effective-change.ts';
import { lastRead } from './last-read.ts';
import { booleanParameter } from './query.ts';
import { NotRevertible, RevertConflict } from './revert-conflict.ts';
import { vocabulary } from './vocabulary.ts';

export const PlanQuery = z.object({
  assume_write: booleanParameter(
    'Plan as if the caller could write wherever they can read. Only for `set`, `unset` and `promote`; more than 9 seconds return 422 `too_costly`. The plan shows nothing that the caller cannot read, and gives no permission to apply it.',
  ).default(false),
});
export type PlanQuery = z.infer<typeof PlanQuery>;

const named = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `Name of the ${description}.` });

export const PlannedChange = z
  .object({
    action: z.string().meta({ description: '`create`, `update` or `delete`.' }),
    object_type: z.string().meta({ description: 'Type of the object, such as Value.' }),
    object_id: z.string().nullable().meta({ description: 'Id of the object; null if it would be created.' }),
    object_name: z.string().meta({ description: 'Name of the object. For a value, the name of its parameter.' }),
    project_name: named('project that the object belongs to'),
    environment_name: named('environment that the object belongs to'),
    ...lastRead(
      'what the deletion affects',
      'Only for the deletion of an environment, project, parameter or value; the hash of the plan does not cover it.',
    ),
  })
  .meta({ id: 'PlannedChange', description: 'The net change of one object.' });
export type PlannedChange = z.infer<typeof PlannedChange>;

export const Uncovered = z
  .object({
    reason: z.string().meta({
      description:
        'The reason: `not_evaluated` (the text cannot be evaluated), `template` (a changed value is used by templates, whose texts are not compared), `secret_not_judged` (plans do not validate secret values), `forbidden` (the result depends on values that the caller cannot read: the effective value is not shown, or applying fails if such a value is set).',
    }),
    project_name: named('project'),
    environment_name: named('environment'),
    name: z.string().meta({ description: 'Name of the parameter or template; `*` for all parameters.' }),
  })
  .meta({ id: 'PlanUncovered', description: 'One effect that a plan cannot determine.' });
export type Uncovered = z.infer<typeof Uncovered>;

export const BlockingReference = z
  .object({
    index: z.int().meta({ description: 'The operation that is rejected because of the text.' }),
    project_name: z.string().meta({ description: 'The project of the text.' }),
    text: z.string().meta({ description: 'The text: a template, or a parameter and its environment.' }),
  })
  .meta({
    id: 'PlanBlockingReference',
    description: 'A text that refers to an object that would be deleted or renamed.',
  });
export type BlockingReference = z.infer<typeof BlockingReference>;

export const AccessChange = z
  .object({
    person: z.string().meta({ description: 'Name of the user or service account.' }),
    scope_type: z.string().meta({ description: '`project`, `environment` or `organization`.' }),
    scope_name: z.string().meta({ description: 'Name of the scope.' }),
    before: z.string().nullable().meta({ description: 'The current effective role; null for none.' }),
    after: z.string().nullable().meta({ description: 'The new effective role; null for none.' }),
  })
  .meta({ id: 'PlanAccessChange', description: 'Access that a user would gain or lose.' });
export type AccessChange = z.infer<typeof AccessChange>;

export const CellAccessChange = z
  .object({
    person: z.string().meta({ description: 'Name of the user or service account.' }),
    action: vocabulary(CELL_ACTIONS, {
      name: 'CellAction',
      description: 'A kind of access to values.',
      meaning: (action) =>
        ({
          read: 'Reading effective values.',
          write: 'Changing values.',
          reveal: 'Reading secrets in clear.',
        })[action],
    })
      .meta({ id: 'CellActionEnum' })
      .meta({ description: 'The kind of access.' }),
    gained: z.boolean().meta({ description: 'Whether the user would gain the access. Otherwise they would lose it.' }),
    cells: z.int().meta({ description: 'Number of cells: pairs of a project and an environment.' }),
    example_project: z.string().meta({ description: 'Name of the project of one of these cells.' }),
    example_environment: z.string().meta({ description: 'Name of its environment.' }),
  })
  .meta({
    id: 'PlanCellAccessChange',
    description: 'Cells in which a user would gain or lose access, as the checks of requests decide.',
  });
export type CellAccessChange = z.infer<typeof CellAccessChange>;

export const RestartedExpiration = z
  .object({
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    name: z.string().meta({ description: 'Name of the parameter.' }),
    expires: z.string().meta({ description: 'Time after which the values of the parameter expire.' }),
  })
  .meta({ id: 'PlanExpiration', description: 'A value whose expiration period would restart.' });
export type RestartedExpiration = z.infer<typeof RestartedExpiration>;

export const ToldWebhook = z
  .object({
    id: z.string().meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
  })
  .meta({ id: 'PlanWebhook', description: 'A webhook that would be notified.' });
export type ToldWebhook = z.infer<typeof ToldWebhook>;

export const NotifiedDestination = z
  .object({
    id: z.string().meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
    type: z.string().meta({ description: 'Type of the destination.' }),
  })
  .meta({ id: 'PlanDestination', description: 'A destination that would receive a message.' });
export type NotifiedDestination = z.infer<typeof NotifiedDestination>;

export const StartedPush = z
  .object({
    id: z.string().meta({ description: 'Id of the push.' }),
    name: z.string().meta({ description: 'Name of the push.' }),
    integration_id: z.string().meta({ description: 'Id of its integration.' }),
    integration_name: z.string().meta({ description: 'Name of its integration.' }),
    provider: z.string().meta({ description: 'The provider of the integration.' }),
  })
  .meta({ id: 'PlanPush', description: 'A push that would run, because one of its tags moves.' });
export type StartedPush = z.infer<typeof StartedPush>;

const count = (objects: string) => z.int().meta({ description: `Number of ${objects}.` });

export const PlannedObject = z
  .object({
    object: z.string().meta({ description: 'Id of the object, or the names of a cell that was empty.' }),
    version: z.string().nullable().meta({
      description:
        'The `ledger_id` of the object. For objects without one, the revision of the last change; null if the object did not exist.',
    }),
  })
  .meta({
    id: 'PlanObject',
    description: 'An object that a plan depends on. If its version changes, the plan is outdated.',
  });
export type PlannedObject = z.infer<typeof PlannedObject>;

export const PlanTotals = z
  .object({
    changes: count('changes of objects'),
    objects: count('objects that the plan depends on'),
    effective_changes: count('effective changes'),
    uncovered: count('effects that cannot be determined'),
    refusals: count('rejected operations'),
    blocking_references: count('texts that block a deletion or renaming'),
    access: count('access changes'),
    access_cells: count('gains and losses of access to cells'),
    expirations: count('values whose expiration period restarts'),
    webhooks: count('webhooks that would be notified'),
    destinations: count('destinations that would receive a message'),
    pushes: count('pushes that would run'),
    conflicts: z
      .int()
      .meta({ description: 'Number of objects that the revert would not restore. Only in plans of reverts.' })
      .optional(),
    not_revertible: z
      .int()
      .meta({ description: 'Number of changes that the revert would not undo. Only in plans of reverts.' })
      .optional(),
    closed_projects: count('affected dependent projects that the caller cannot read'),
    closed_environments: count('affected child environments that the caller cannot read'),
    closed_references: count('blocking texts in projects that the caller cannot read'),
  })
  .meta({ id: 'PlanTotals', description: 'The total numbers. Forbidden objects are counted, but not named.' });
export type PlanTotals = z.infer<typeof PlanTotals>;

const entries = z.array(z.record(z.string(), z.unknown()));
export const PlanEntryDifferences = z
  .object({
    new: entries.meta({ description: 'Entries that the reviewed plan does not contain.' }),
    gone: entries.meta({ description: 'Entries of the reviewed plan that no longer exist.' }),
    other: entries.meta({ description: 'Entries that have changed since, in their current form.' }),
  })
  .meta({ id: 'PlanEntriesBetween', description: 'The differences between one list of two plans.' });

export const PlanDifference = z
  .object({
    parts: z.array(z.string()).meta({
      description:
        'The parts that differ: operations, objects, effective_changes, uncovered, refusals; for a revert also conflicts and not_revertible.',
    }),
    objects: PlanEntryDifferences.optional().meta({
      description: 'Differences of the dependencies. Only if the request contained the plan.',
    }),
    effective_changes: PlanEntryDifferences.optional().meta({ description: 'Differences of the effective changes.' }),
    uncovered: PlanEntryDifferences.optional().meta({
      description: 'Differences of the effects that cannot be determined.',
    }),
    refusals: PlanEntryDifferences.optional().meta({ description: 'Differences of the rejected operations.' }),
    conflicts: PlanEntryDifferences.optional().meta({ description: 'Differences of the conflicts.' }),
    not_revertible: PlanEntryDifferences.optional().meta({
      description: 'Differences of the changes that the revert does not undo.',
    }),
  })
  .meta({ id: 'PlanDifference', description: 'The differences between the reviewed plan and the current one.' });
export type PlanDifference = z.infer<typeof PlanDifference>;

export const Plan = z
  .object({
    base_revision: z.int().meta({ description: 'The revision that the plan is based on.' }),
    plan_hash: z.string().meta({
      description:
        'Hash of the plan. Send it when you apply the changeset, so that exactly this plan is applied or nothing.',
    }),
    totals: PlanTotals,
    changes: z.array(PlannedChange).meta({ description: 'The changes of objects.' }),
    objects: z.array(PlannedObject).meta({ description: 'The objects that the plan depends on.' }),
    effective_changes: z.array(EffectiveChange).meta({
      description: 'The effective values that would change, including inherited values and evaluated texts.',
    }),
    uncovered: z.array(Uncovered).meta({ description: 'The effects that cannot be determined.' }),
    refusals: z.array(OperationError).meta({ description: 'The operations that would be rejected, with the reason.' }),
    blocking_references: z
      .array(BlockingReference)
      .meta({ description: 'The texts that block deletions and renamings.' }),
    access: z.array(AccessChange).meta({ description: 'The access that users would gain or lose.' }),
    access_cells: z.array(CellAccessChange).meta({
      description:
        'The cells in which users would gain or lose access, in scopes that the caller can read. Grants that end later count as valid. Only for changes of grants, groups and memberships.',
    }),
    expirations: z
      .array(RestartedExpiration)
      .meta({ description: 'The values whose expiration period would restart.' }),
    webhooks: z.array(ToldWebhook).meta({ description: 'The webhooks that would be notified.' }),
    destinations: z.array(NotifiedDestination).meta({ description: 'The destinations that would receive a message.' }),
    pushes: z.array(StartedPush).meta({ description: 'The pushes that would run, because one of their tags moves.' }),
    conflicts: z.array(RevertConflict).optional().meta({
      description:
        'For a revert: the objects that it would not restore, with the reason. Reasons to reject the whole revert are in `refusals`.',
    }),
    not_revertible: z
      .array(NotRevertible)
      .optional()
      .meta({ description: 'For a revert: the changes of the changeset that it would not undo.' }),
  })
  .meta({
    id: 'ChangesetPlan',
    description:
      'The effects of a changeset. Each list has at most 1,000 entries; `totals` contains the total numbers.',
  });
export type Plan = z.infer<typeof Plan>;
