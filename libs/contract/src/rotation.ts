import { COPY_REASONS, ROTATION_STAGES, SILENT_POLICIES } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, linkIn, linkOutput, nameField, textField, timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, nameFilters, PageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';
import { memberOnCreate, memberWithDefault, optionalMember, requiredMember, writeShapes } from './write-shapes.ts';

export const ROTATION_LIMITS = {
  perOrganization: 100,
  intervalDays: 365,
  graceSeconds: 604_800,
  silentAfterSeconds: 2_592_000,
  /** The pending instances in a response, and the ones that one request dismisses. */
  instances: 100,
  /** The pending pushes in a response, and the ones that one request dismisses. */
  pushes: 100,
} as const;

export const ROTATORS = ['postgresql', 'aws_iam', 'command'] as const;
/** AWS usually reports the use of an access key within four hours. */
export const GRACE_SECONDS_DEFAULT: Readonly<Record<(typeof ROTATORS)[number], number>> = {
  postgresql: 300,
  aws_iam: 21_600,
  command: 300,
};

const RotatorName = vocabulary(ROTATORS, {
  name: 'Rotator',
  description: 'The system whose credentials a rotation replaces.',
  meaning: (rotator) =>
    ({
      postgresql: 'Two roles of a PostgreSQL server, which alternate.',
      aws_iam: 'The access keys of one IAM user.',
      command: 'A program that the operator of the installation provides.',
    })[rotator],
}).meta({ id: 'RotatorEnum' });

const StageName = vocabulary(ROTATION_STAGES, {
  name: 'RotationStage',
  description: 'The step of a rotation.',
  meaning: (stage) =>
    ({
      idle: 'No rotation runs.',
      creating: 'The new credential is being created.',
      publishing: 'The new credential works and is about to be published.',
      acknowledging: 'The new credential is published. Instances must acknowledge it.',
      draining: 'All instances have acknowledged it. The previous credential must be unused for the grace period.',
      revoking: 'The previous credential is being revoked.',
    })[stage],
}).meta({ id: 'RotationStageEnum' });

export const ROTATION_STATES = ['idle', 'running', 'waiting', 'needs_decision', 'stopped', 'held'] as const;
const StateName = vocabulary(ROTATION_STATES, {
  name: 'RotationState',
  description: 'Whether a rotation continues.',
  meaning: (state) =>
    ({
      idle: 'No rotation runs.',
      running: 'The current step is being done.',
      waiting: 'The rotation waits, and continues by itself. `reason` says for what.',
      needs_decision:
        'Instances do not report any more, or pushes do not write the new text by themselves. Correct, dismiss or await them.',
      stopped: 'The rotation needs a person. `reason` says why. Rotate again to continue, or abort.',
      held: 'The installation was restored. An operator must continue rotations.',
    })[state],
}).meta({ id: 'RotationStateEnum' });

const SilentName = vocabulary(SILENT_POLICIES, {
  name: 'RotationSilentPolicy',
  description: 'What happens if an instance does not report any more before it has acknowledged the new credential.',
  meaning: (policy) =>
    ({
      wait: 'The rotation waits for it.',
      decide: 'The rotation waits for it, and needs a decision.',
      revoke_after: 'The rotation does not wait for it after `silent_after_seconds`.',
    })[policy],
}).meta({ id: 'RotationSilentPolicyEnum' });

const blankless = (max: number = LIMITS.name) => textField({ max, blank: 'rejected' });
/** Only host names and addresses. A path would be a socket of the machine. */
const host = z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/, 'Enter a host name or an address.');
const port = z.int().min(1).max(65_535);
/** The names of roles and databases. PostgreSQL truncates longer ones. */
const identifier = blankless(63);

export const PostgresqlConnection = z
  .object({
    host: host.meta({ description: 'The host of the server.' }),
    port: port.default(5432).meta({ description: 'The port of the server.' }),
    database: identifier.default('postgres').meta({ description: 'The database that Strata connects to.' }),
    user: identifier.meta({ description: 'The role that Strata connects with. It can alter the two roles.' }),
    roles: z
      .array(identifier)
      .length(2, 'Enter two roles.')
      .refine(([first, second]) => first !== second, 'Enter two different roles.')
      .meta({ description: 'The two roles that alternate.' }),
    tls: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to encrypt the connection and check the certificate.' }),
    ca: textField({ max: LIMITS.link * 8, blank: 'rejected' })
      .nullable()
      .default(null)
      .meta({ description: 'The certificate of the authority, as PEM; null for those that Node.js trusts.' }),
  })
  .refine(({ user, roles }) => !roles.includes(user), {
    path: ['roles'],
    message: 'Enter two other roles than the one that Strata connects with.',
  })
  .meta({ id: 'RotationPostgresql', description: 'The PostgreSQL server of a rotation.' });

export const AwsIamUser = z
  .object({
    account: z
      .string()
      .regex(/^\d{12}$/, 'Enter an account id of 12 digits.')
      .meta({ description: 'The account.' }),
    role_name: z
      .string()
      .regex(/^[\w+=,.@/-]{1,128}$/, 'Enter the name of a role.')
      .meta({ description: 'The role that Strata assumes.' }),
    user_name: z
      .string()
      .regex(/^[\w+=,.@-]{1,64}$/, 'Enter the name of a user.')
      .meta({ description: 'The user whose access keys are rotated.' }),
    region: z
      .string()
      .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'Enter a region, such as eu-central-1.')
      .default('us-east-1')
      .meta({ description: 'The region whose endpoints are used.' }),
  })
  .meta({ id: 'RotationAwsIam', description: 'The IAM user of a rotation.' });

export const CommandInput = z
  .object({
    program: nameField(64).meta({ description: 'The name of the command in the settings of the installation.' }),
    input: textField({ max: 4_096, blank: 'allowed' })
      .default('')
      .meta({ description: 'A text for the command, such as the name of an account. It is not secret.' }),
  })
  .meta({ id: 'RotationCommand', description: 'The command of a rotation.' });

export const RotationInstance = z
  .object({
    id: uuidOutput.meta({ description: 'Identifies the instance in this rotation.' }),
    instance: z.string().meta({ description: 'The name that the instance reports.' }),
    account: z.string().meta({ description: 'The name of its account.' }),
    project: linkOutput.meta({ description: 'The project whose configuration it runs.' }),
    environment: linkOutput.meta({ description: 'The environment whose configuration it runs.' }),
    is_alive: z.boolean().meta({ description: 'Whether it has reported in the last 15 minutes.' }),
    reason: z.string().nullable().meta({ description: 'Why it rejected the configuration; null if it did not.' }),
    seen_at: timeOutput.meta({ description: 'When it last reported.' }),
  })
  .meta({ id: 'RotationInstance', description: 'An instance that has not acknowledged the new credential.' });
export type RotationInstance = z.infer<typeof RotationInstance>;

export const COPY_REASON_TEXTS = {
  deleted: 'The push was deleted, and its keys stay at the store. Delete them there, and dismiss the push.',
  read_only:
    'The push may not write now: its integration is read-only or waits for the operator, or the push only plans.',
  older_tag: 'The tag is older than the publication, so the push still has the previous text. Move the tag.',
  undecided: 'A key has another text, is in an earlier store, or is not part of the push any more. Decide about it.',
  running: 'A run is queued or is writing. The rotation continues when it has written the new text.',
  failed: 'The latest run failed, or waits for approval. Correct it, and run the push again.',
  not_written: 'No run has written the text of the tag yet. Run the push.',
} as const;

const PushReason = vocabulary(COPY_REASONS, {
  name: 'RotationPushReason',
  description: 'Why a push has not replaced the previous credential at its store.',
  meaning: (reason) => COPY_REASON_TEXTS[reason],
}).meta({ id: 'RotationPushReasonEnum' });

export const RotationPush = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the push.' }),
    name: z.string().meta({ description: 'Name of the push.' }),
    integration_id: uuidOutput.nullable().meta({ description: 'Id of its integration; null if the push was deleted.' }),
    integration_name: z.string().meta({ description: 'Name of its integration.' }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'The provider of its integration; null if the push was deleted.' }),
    reason_code: PushReason.meta({ description: 'Why it has not replaced the previous credential.' }),
    reason: z.string().meta({ description: 'The reason as a sentence, and what you can do.' }),
  })
  .meta({ id: 'RotationPush', description: 'A push whose store may still contain the previous credential.' });
export type RotationPush = z.infer<typeof RotationPush>;

export const Rotation = z
  .object({
    url: linkOutput.meta({ description: 'URL of the object.' }),
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
    parameter: linkOutput.meta({ description: 'The parameter whose value is the credential.' }),
    environment: linkOutput.meta({ description: 'The environment of the value.' }),
    project: linkOutput.meta({ description: 'The project of the parameter.' }),
    rotator: RotatorName.meta({ description: 'The system whose credentials are replaced.' }),
    postgresql: PostgresqlConnection.nullable().meta({ description: 'The server; null for other systems.' }),
    aws_iam: AwsIamUser.nullable().meta({ description: 'The IAM user; null for other systems.' }),
    command: CommandInput.nullable().meta({ description: 'The command; null for other systems.' }),
    interval_days: z
      .int()
      .nullable()
      .meta({ description: 'The days between two rotations; null to rotate on request only.' }),
    grace_seconds: z
      .int()
      .meta({ description: 'How long the previous credential must be unused before it is revoked.' }),
    silent: SilentName.meta({ description: 'What happens if an instance does not report any more.' }),
    silent_after_seconds: z.int().meta({ description: 'For `revoke_after`: seconds after the publication.' }),
    state: StateName.meta({ description: 'Whether the rotation continues.' }),
    stage: StageName.meta({ description: 'The step of the rotation.' }),
    stage_since: timeOutput.meta({ description: 'When this step began.' }),
    reason_code: z.string().nullable().meta({ description: 'The code of the reason.' }),
    reason: z.string().nullable().meta({ description: 'Why the rotation waits or has stopped.' }),
    published_credential: z.string().nullable().meta({
      description:
        'The name of the published credential, such as a role or the id of a key; null before the first rotation.',
    }),
    previous_credential: z.string().nullable().meta({
      description: 'The name of the credential that will be revoked; null if no rotation has published another one.',
    }),
    published_revision: z.int().nullable().meta({ description: 'The revision that instances must acknowledge.' }),
    pending_count: z.int().meta({ description: 'The number of instances and pushes that prevent the revocation.' }),
    pending: z.array(RotationInstance).meta({
      description: `These instances, at most ${ROTATION_LIMITS.instances}, without those in scopes that the caller cannot access.`,
    }),
    pending_pushes: z.array(RotationPush).meta({
      description: `These pushes, at most ${ROTATION_LIMITS.pushes}, without those that only write values of scopes that the caller cannot access.`,
    }),
    last_rotated_at: timeOutput.nullable().meta({ description: 'When a credential was last revoked.' }),
    next_rotation_at: timeOutput
      .nullable()
      .meta({ description: 'When the next rotation begins; null if none is planned.' }),
    next_attempt_at: timeOutput.nullable().meta({ description: 'When the current step is tried or checked again.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Rotation',
    description:
      'Replaces the credential in a secret, and revokes the previous one when no instance and no push uses it.',
  });
export type Rotation = z.infer<typeof Rotation>;

export const RotationPage = pageSchema(Rotation, 'PaginatedRotationList');

const { intervalDays, graceSeconds, silentAfterSeconds } = ROTATION_LIMITS;

const shapes = writeShapes(
  { create: 'RotationCreate', update: 'RotationUpdate', patch: 'PatchedRotation' },
  {
    name: requiredMember(nameField(), 'Name of the object.'),
    parameter: memberOnCreate(linkIn, 'The URL of a secret parameter. It cannot be changed.'),
    environment: memberOnCreate(
      linkIn,
      'The environment (id or URL) in which the parameter has a value. It cannot be changed.',
    ),
    rotator: memberOnCreate(RotatorName, 'The system whose credentials are replaced. It cannot be changed.'),
    postgresql: memberOnCreate(PostgresqlConnection.nullish(), 'The server, for postgresql. It cannot be changed.'),
    aws_iam: memberOnCreate(AwsIamUser.nullish(), 'The IAM user, for aws_iam. It cannot be changed.'),
    command: memberOnCreate(CommandInput.nullish(), 'The command, for command. It cannot be changed.'),
    credential: optionalMember(
      blankless(LIMITS.link),
      'The password that Strata connects with, for postgresql. It is stored encrypted and never returned.',
    ),
    interval_days: memberWithDefault(
      z.int().min(1).max(intervalDays).nullable(),
      null,
      'The days between two rotations; null to rotate on request only.',
    ),
    grace_seconds: optionalMember(
      z.int().min(0).max(graceSeconds),
      `How long the previous credential must be unused before it is revoked. A new rotation without it has ${GRACE_SECONDS_DEFAULT.postgresql}, and ${GRACE_SECONDS_DEFAULT.aws_iam} for aws_iam, because AWS usually reports uses within four hours.`,
    ),
    silent: memberWithDefault(SilentName, 'wait', 'What happens if an instance does not report any more.'),
    silent_after_seconds: memberWithDefault(
      z.int().min(900).max(silentAfterSeconds),
      3_600,
      'For `revoke_after`: seconds after the publication.',
    ),
  },
);

export const RotationCreate = shapes.create;
export type RotationCreate = z.infer<typeof RotationCreate>;
export const RotationUpdate = shapes.update;
export const RotationPatch = shapes.patch;
export type RotationPatch = z.infer<typeof RotationPatch>;

export const RotationListQuery = PageQuery.extend({
  name: nameFilters.name,
  state: choiceParameter(StateName, 'Only rotations in this state.'),
});
export type RotationListQuery = z.infer<typeof RotationListQuery>;

export const InstanceDismissal = z
  .object({
    instances: z.array(z.uuid()).max(ROTATION_LIMITS.instances).default([]).meta({
      description:
        'The ids of pending instances that do not report any more. The rotation does not wait for them, unless they report again.',
    }),
    pushes: z.array(z.uuid()).max(ROTATION_LIMITS.pushes).default([]).meta({
      description:
        'The ids of pending pushes. The rotation does not wait for them, unless they write an older text again.',
    }),
  })
  .meta({ id: 'RotationDismissal' });
export type InstanceDismissal = z.infer<typeof InstanceDismissal>;
