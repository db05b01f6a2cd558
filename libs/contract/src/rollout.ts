import { invisibleCharacterProblem } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, nameField, textField, timeOutput } from './fields.ts';
import { choiceParameter, countParameter, PageQuery, textParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** The header with which a program names its instance when it polls the effective configuration. */
export const INSTANCE_HEADER = 'x-strata-instance';

export const INSTANCE_LIMITS = {
  /** Characters of the name of an instance. */
  name: 128,
  /** Characters of all names that an instance follows, as many as a URL can have. */
  names: 16_384,
  /** Characters of the reason of a nack. */
  reason: 500,
  perCredential: 1_000,
  perOrganization: 10_000,
  /** An instance that does not report for this long is removed. */
  lifetimeMinutes: 15,
} as const;

export const InstanceName = nameField(INSTANCE_LIMITS.name)
  .check((context) => {
    const problem = invisibleCharacterProblem(context.value);
    if (problem === null) return;
    const { code, message } = problem;
    context.issues.push({ code: 'custom', input: undefined, message, params: { code } });
  })
  .meta({ description: 'The name of the instance, unique within its credential: a host, a pod, a process.' });

const reported = {
  project: nameField(LIMITS.link).meta({ description: 'Name or id of the project.' }),
  environment: nameField(LIMITS.link).meta({ description: 'Name or id of the environment.' }),
  instance: InstanceName,
  revision: z.int().nonnegative().meta({ description: 'The revision of the message or response.' }),
  names: z
    .array(nameField())
    .max(LIMITS.idsPerRequest)
    .refine((names) => names.join().length <= INSTANCE_LIMITS.names, {
      error: `At most ${INSTANCE_LIMITS.names} characters together.`,
    })
    .nullable()
    .default(null)
    .meta({ description: 'The names that the instance follows, as in its request; null for all names.' }),
  reveal: z.boolean().default(false).meta({ description: 'Whether the instance receives secrets in clear.' }),
};

/** The report of an instance about the configuration that it received. */
export const InstanceReport = z
  .object({
    ...reported,
    digest: z.string().max(80).optional().meta({
      description:
        'The digest of the configuration at this revision, as the message or the response contained it. Required unless there is a reason.',
    }),
    reason: textField({ max: INSTANCE_LIMITS.reason, blank: 'rejected' }).optional().meta({
      description:
        'Why the instance rejects the configuration. It continues with the one that it had. Absent if it runs the configuration. Never put secrets here.',
    }),
  })
  .refine(({ digest, reason }) => digest !== undefined || reason !== undefined, {
    path: ['digest'],
    error: 'Send the digest of the configuration, or the reason why the instance rejects it.',
  })
  .meta({ id: 'InstanceReport' });
export type InstanceReport = z.infer<typeof InstanceReport>;

export const INSTANCE_STATUSES = ['refused', 'lagging', 'current'] as const;
const InstanceStatus = vocabulary(INSTANCE_STATUSES, {
  name: 'InstanceStatus',
  description: 'How the configuration of an instance compares with that of the rollout.',
  meaning: (status) =>
    ({
      refused: 'It rejected the configuration.',
      lagging: 'It has not reported the configuration yet.',
      current: 'It runs the configuration, or a later one.',
    })[status],
});

export const RolloutAccount = z
  .object({
    id: z.string().meta({ description: 'The id of the user.' }),
    name: z.string().meta({ description: 'The name.' }),
  })
  .meta({ id: 'RolloutAccount', description: 'The user or service account whose credential the instance uses.' });

export const RolloutInstance = z
  .object({
    instance: z.string().meta({ description: 'The name of the instance.' }),
    account: RolloutAccount,
    status: InstanceStatus.meta({
      description:
        '`current`: it runs the configuration of the rollout, or a later one. `lagging`: it has not reported it yet. `refused`: it rejected it.',
    }),
    revision: z.int().meta({
      description:
        'The last revision that the instance confirmed; if its status is `refused`, the revision it rejected.',
    }),
    digest: z.string().nullable().meta({
      description:
        'Identifies the configuration that the instance runs: instances of one account with the same names and the same masking have equal digests if they run equal configurations. It is keyed, so it differs from `digest` of the effective configuration and reveals nothing about secrets. Null if the instance has not confirmed any.',
    }),
    reason: z.string().nullable().meta({
      description: 'Why the instance rejected the configuration, if its status is `refused`; otherwise null.',
    }),
    since: timeOutput.meta({ description: 'When the instance first reported what it reports now.' }),
    seen_at: timeOutput.meta({ description: 'When the instance last reported.' }),
  })
  .meta({ id: 'RolloutInstance', description: 'An instance of a program and what it last reported.' });
export type RolloutInstance = z.infer<typeof RolloutInstance>;

export const Rollout = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    revision: z.int().meta({ description: 'The revision that the instances are compared with.' }),
    converged: z.boolean().meta({
      description: 'Whether all instances are current. Also true if there are none: check `total`.',
    }),
    total: z.int().meta({ description: 'The number of instances.' }),
    current: z.int().meta({ description: 'The number of current instances.' }),
    lagging: z.int().meta({ description: 'The number of lagging instances.' }),
    refused: z.int().meta({ description: 'The number of instances that rejected the configuration.' }),
    count: z.int().meta({ description: 'The number of instances that match `status`.' }),
    results: z
      .array(RolloutInstance)
      .meta({ description: 'First the instances that rejected the configuration, then the lagging ones, by name.' }),
  })
  .meta({ id: 'Rollout', description: 'Which instances of programs run the configuration of a revision.' });
export type Rollout = z.infer<typeof Rollout>;

export const RolloutQuery = PageQuery.pick({ page: true, page_size: true }).extend({
  project: textParameter('Name or id of the project.').unwrap(),
  environment: textParameter('Name or id of the environment.').unwrap(),
  revision: countParameter(
    0,
    Number.MAX_SAFE_INTEGER,
    'The revision to compare with; by default the latest one.',
  ).optional(),
  status: choiceParameter(InstanceStatus, 'Only instances with this status.'),
  wait: countParameter(
    0,
    60,
    'Seconds to wait until all instances are current, or one rejects the configuration.',
  ).default(0),
});
export type RolloutQuery = z.infer<typeof RolloutQuery>;
