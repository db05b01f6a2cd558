import { DECISION_ACTIONS, DRIFT_POLICIES, KEY_ACTIONS, KEY_REASONS, KEY_STATES } from '@strata/domain';
import { z } from 'zod';
import { flagField, linkOutput, textField, timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { booleanParameter, choiceParameter, PageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';

export const PUSH_LIMITS = {
  /** The decisions of one run. A push has at most as many keys. */
  decisions: 5_000,
  key: 2_048,
  version: 256,
  planHash: 64,
} as const;

/** The order of the keys of a push. */
export const BY_KEY = ['key'] as const;

export const KeyStateName = vocabulary(KEY_STATES, {
  name: 'PushKeyState',
  description: 'The state of a key at the store of a push.',
  meaning: (state) =>
    ({
      in_sync: 'The store has the text that Strata wrote, and it is the current one.',
      drifted: 'Another program changed the text that Strata wrote.',
      foreign: 'Another program or another push wrote the key.',
      missing: 'Another program deleted the key.',
      pending: 'The next run changes the key.',
      failed: 'The key could not be written.',
    })[state],
}).meta({ id: 'PushKeyStateEnum' });

const KeyActionName = vocabulary(KEY_ACTIONS, {
  name: 'PushKeyAction',
  description: 'What the next run does with a key.',
  meaning: (action) =>
    ({
      none: 'Nothing.',
      create: 'It creates the key.',
      restore: 'It restores the deleted key, and then compares its text.',
      update: 'It writes a new text.',
      delete: 'It deletes the key.',
      confirm: 'It records that the key is ours.',
      take_over: 'It takes over a foreign key, and writes its text if it differs.',
      import: 'It writes the text of the store into the value of Strata.',
      forget: 'It removes the record of the key.',
    })[action],
}).meta({ id: 'PushKeyActionEnum' });

export const KeyReasonName = vocabulary(KEY_REASONS, {
  name: 'PushKeyReason',
  description: 'Why a key has its state.',
  meaning: (reason) =>
    ({
      equal: 'The texts are equal.',
      new: 'The store does not have the key yet.',
      changed: 'The value changed in Strata.',
      unused: 'The push no longer contains the key.',
      deleted_elsewhere: 'Another program deleted the key.',
      changed_elsewhere: 'Another program changed the text.',
      write_unconfirmed:
        'The last write had no response, and the store returns no texts. The text can be that of another program.',
      not_written_by_strata: 'This push did not write the key.',
      mark_removed: 'The key no longer has the mark of this push.',
      cannot_write: 'The value cannot be written to this store.',
      must_encrypt: 'The text is secret, and the store has it unencrypted.',
      removal_undecided: 'The push no longer has the value, which may still exist.',
      decided: 'A person decided about the key.',
      imported: 'The text of the store was imported. The value at the tag is older.',
      not_importable: 'Another program changed the text, and it cannot be imported. `detail` says why.',
      changed_on_both_sides:
        'Another program changed the text, and the value changed in Strata. Neither is overwritten.',
    })[reason],
}).meta({ id: 'PushKeyReasonEnum' });

const DecisionName = vocabulary(DECISION_ACTIONS, {
  name: 'PushKeyDecisionAction',
  description: 'A decision about one key.',
  meaning: (action) =>
    ({
      overwrite: 'Write the value of Strata, and take the key over if it is foreign.',
      delete:
        'Delete a key that the push no longer contains, although another program changed it or its value may still exist.',
      leave: 'Change nothing in this run.',
    })[action],
}).meta({ id: 'PushKeyDecisionActionEnum' });

const DriftPolicyName = vocabulary(DRIFT_POLICIES, {
  name: 'PushDriftPolicy',
  description: 'What a run does with a key whose text another program changed.',
  meaning: (policy) =>
    ({
      report: 'Change nothing, and end as a failure that names the key.',
      overwrite: 'Write the value of Strata.',
      import: 'Write the text of the store into the value of Strata, unless the value has changed, too.',
    })[policy],
}).meta({ id: 'PushDriftPolicyEnum' });

/** A key of a push. It contains no text. */
export const PushKey = z
  .object({
    key: z.string().meta({ description: 'The key in the store.' }),
    state: KeyStateName.meta({ description: 'The state when the push last ran.' }),
    action: KeyActionName.meta({ description: 'What the next run does.' }),
    reason: KeyReasonName.meta({ description: 'Why the key has this state.' }),
    detail: z.string().nullable().meta({
      description: 'The error of the last write, or why the text cannot be imported; null if there is none.',
    }),
    version: z.string().nullable().meta({ description: 'The version in the store. A decision repeats it.' }),
    decisions: z.array(DecisionName).meta({ description: 'The decisions that a run accepts for this key.' }),
    project: linkOutput.nullable().meta({ description: 'The project.' }),
    project_id: uuidOutput.nullable().meta({ description: 'Id of the project.' }),
    project_name: z.string().nullable().meta({ description: 'Name of the project.' }),
    environment: linkOutput.nullable().meta({ description: 'The environment.' }),
    environment_id: uuidOutput.nullable().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of the environment.' }),
    parameter: linkOutput.nullable().meta({ description: 'The parameter.' }),
    parameter_id: uuidOutput.nullable().meta({ description: 'Id of the parameter.' }),
    parameter_name: z.string().nullable().meta({ description: 'Name of the parameter.' }),
    written_at: timeOutput.nullable().meta({ description: 'When Strata last wrote the key; null if it never did.' }),
    changed_at: timeOutput.meta({ description: 'Since when it has this state.' }),
    next_attempt_at: timeOutput.nullable().meta({ description: 'When the push runs next; null if no run waits.' }),
  })
  .meta({ id: 'PushKey', description: 'A key that a push writes, with its state at the store.' });
export type PushKey = z.infer<typeof PushKey>;

export const PushKeyPage = pageSchema(PushKey, 'PaginatedPushKeyList');

export const PushKeyListQuery = PageQuery.omit({ ordering: true, id__in: true }).extend({
  state: choiceParameter(KeyStateName, 'Only keys in this state.'),
  pending: booleanParameter(
    'true returns only keys that a plan contains: those that change or need a decision.',
  ).optional(),
});
export type PushKeyListQuery = z.infer<typeof PushKeyListQuery>;

const policyMembers = {
  plan_first: 'Whether runs stop with a plan before their first write, before deletions, and at keys of others.',
  drift: 'What a run does with a key whose text another program changed.',
} as const;

export const PushPolicy = z
  .object({
    plan_first: z.boolean().meta({ description: policyMembers.plan_first }),
    drift: DriftPolicyName.meta({ description: policyMembers.drift }),
  })
  .meta({ id: 'PushPolicy', description: 'What a push may do without a person.' });
export type PushPolicy = z.infer<typeof PushPolicy>;

export const PushPolicyPatch = z
  .object({
    plan_first: flagField.optional().meta({ description: policyMembers.plan_first }),
    drift: DriftPolicyName.optional().meta({ description: policyMembers.drift }),
  })
  .meta({ id: 'PatchedPushPolicy' });
export type PushPolicyPatch = z.infer<typeof PushPolicyPatch>;

export const PushCreateQuery = z.object({
  plan_first: booleanParameter(
    'Whether runs stop with a plan before their first write, before deletions, and at keys of others. Default: false.',
  ).optional(),
});
export type PushCreateQuery = z.infer<typeof PushCreateQuery>;

const count = (description: string) => z.int().meta({ description });

export const PushRunPlan = z
  .object({
    hash: z.string().meta({ description: 'Identifies the plan. A run with it does exactly this, or nothing.' }),
    waits_for_approval: z.boolean().meta({
      description: 'Whether the latest run stopped, and waits for approval. Single dry runs change nothing about it.',
    }),
    creates: count('The number of keys that are created or restored.'),
    updates: count('The number of keys whose text is written.'),
    deletes: count('The number of keys that are deleted.'),
    imports: count('The number of keys whose text is imported.'),
    foreign: count('The number of keys that another program or another push wrote.'),
    drifted: count('The number of keys whose text another program changed, and which no run changes or imports.'),
    undecided: count('The number of keys that the push no longer has, and whose values may still exist.'),
    failed: count('The number of keys that cannot be written.'),
    in_sync: count('The number of keys that do not change.'),
    hidden: count('How many of these keys are in projects or environments that you cannot access.'),
  })
  .meta({ id: 'PushPlan', description: 'What the next run of a push does, as of its latest run.' });
export type PushRunPlan = z.infer<typeof PushRunPlan>;

const Decision = z
  .object({
    key: textField({ max: PUSH_LIMITS.key, blank: 'rejected' }).meta({ description: 'The key.' }),
    action: DecisionName.meta({ description: 'The decision.' }),
    version: textField({ max: PUSH_LIMITS.version, blank: 'allowed' })
      .nullable()
      .default(null)
      .meta({ description: 'The version of the key as listed. A decision about another version has no effect.' }),
  })
  .meta({ id: 'PushKeyDecision', description: 'A decision about one key, for the run that it is sent with.' });

export const PushRun = z
  .object({
    dry_run: flagField.optional().meta({ description: 'Whether the run only plans. Default: as the push is set.' }),
    plan_hash: textField({ max: PUSH_LIMITS.planHash, blank: 'rejected' }).nullish().meta({
      description: 'Approves this plan. If it is outdated, the run writes nothing and stops with a new plan.',
    }),
    decisions: z
      .array(Decision)
      .max(PUSH_LIMITS.decisions, { error: `At most ${PUSH_LIMITS.decisions} decisions.` })
      .optional()
      .meta({ description: 'Decisions about single keys. They apply to this run only.' }),
  })
  .meta({ id: 'PushRun' });
export type PushRun = z.infer<typeof PushRun>;
