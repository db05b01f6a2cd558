import { ACCESS_ACTIONS, AUDIT_ACTIONS, AUDIT_OBJECT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { identifiedObject, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import {
  booleanParameter,
  choiceParameter,
  instantParameter,
  PageQuery,
  textParameter,
  uuidParameter,
} from './query.ts';
import { User } from './user.ts';
import { vocabulary } from './vocabulary.ts';

const ACCESS_MEANINGS: Readonly<Record<string, string>> = {
  reveal: 'Reveal its secrets in plain text.',
  change_password: "Change one's own password, which revokes all tokens of the user.",
  change_name: "Change one's own name.",
  sign_out_everywhere: 'Revoke all tokens of the user.',
  request_refused: 'Send a request that was rejected with status 403.',
  sign_in_refused: 'Try to sign in to the account of the user, without success.',
};
const AuditAction = vocabulary([...AUDIT_ACTIONS, ...ACCESS_ACTIONS], {
  name: 'AuditAction',
  description: 'The kinds of actions that the audit records.',
  meaning: (action) => ACCESS_MEANINGS[action] ?? `The action ${action}.`,
});
const AuditObject = vocabulary(AUDIT_OBJECT_TYPES, {
  name: 'AuditObject',
  description: 'The kinds of objects that the audit covers.',
  meaning: (type) => `The object type ${type}.`,
}).meta({ id: 'ObjectTypeEnum' });

/** Why a request or a sign-in was denied, and how often. */
export const DeniedRequest = z
  .object({
    rule: z.string().meta({ description: 'The error code.' }),
    ability: z
      .string()
      .nullable()
      .meta({ description: 'The ability that the operation requires; null if it requires none.' }),
    operation: z.string().nullable().meta({
      description: 'The method and the path, with placeholders instead of ids; null for a sign-in.',
    }),
    requests: z.int().meta({
      description: 'The number of requests since the previous record of this user and rule.',
    }),
  })
  .meta({ id: 'AuditRefusal', description: 'Why a request or a sign-in was denied, and how often.' });
export type DeniedRequest = z.infer<typeof DeniedRequest>;

/** One action of a user on one object. The record remains when the user or the object is deleted. */
export const AuditTrail = z
  .object({
    ...identifiedObject,
    action: AuditAction.meta({ description: 'The action.' }),
    object_id: z.string().meta({ description: 'Id of the object.' }),
    object_name: z
      .string()
      .meta({ description: 'Name of the object at that time. For a value, the name of its parameter.' }),
    object_type: AuditObject.meta({ description: 'Type of the object.' }),
    timestamp: timeOutput.meta({ description: 'The time of the action.' }),
    user: User.meta({ description: 'The user who did it. For a former member, the details that are still known.' }),
    changeset: z.int().meta({
      description:
        'Revision of the changeset that contains the action. A record of the access log happened after this revision.',
    }),
    project_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with `places`: name of the project at that time.' }),
    environment_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with `places`: name of the environment at that time.' }),
    refusal: DeniedRequest.optional().meta({
      description: 'Only for `request_refused` and `sign_in_refused`: why, and how often.',
    }),
  })
  .meta({
    id: 'AuditTrail',
    description: 'One action of a user on one object. The record remains when the user or the object is deleted.',
  });
export type AuditTrail = z.infer<typeof AuditTrail>;

export const AuditPage = pageSchema(AuditTrail, 'PaginatedAuditTrailList');

export const AuditSummary = z
  .object({
    earliest: timeOutput.nullable().meta({ description: 'Time of the oldest record that is shown.' }),
    max_days: z.int().meta({ description: 'Older records are not shown.' }),
    max_records: z
      .int()
      .meta({ description: 'Maximum number of records that are shown. If there are more, the oldest are not shown.' }),
    total: z.int().meta({ description: 'Number of records that are shown.' }),
  })
  .meta({ id: 'AuditTrailSummary', description: 'The time span and the number of records that the audit covers.' });
export type AuditSummary = z.infer<typeof AuditSummary>;

export const AuditListQuery = PageQuery.extend({
  action: choiceParameter(
    AuditAction,
    'Only this action. An action that only the access log contains does not need `access_log`.',
  ),
  access_log: booleanParameter(
    'Include records of the access log, which change no configuration: revealed secrets, changed passwords, users who signed out everywhere, and denied requests and sign-ins.',
  ).default(false),
  places: booleanParameter(
    'Include `project_name` and `environment_name`. Records of the access log have the current names, or null if the object was deleted.',
  ).default(false),
  object_type: textParameter('Only objects of this type. An unknown type returns no records.'),
  object_id: textParameter('Only records of this object.'),
  user_id: textParameter('Only actions of this user.'),
  earliest: instantParameter('At this time or later.'),
  latest: instantParameter('At this time or earlier.'),
  project_id: uuidParameter('Only records of this project, its parameters, templates, values and rules.'),
  parameter_id: uuidParameter('Only records of this parameter, its values and rules.'),
  environment_id: uuidParameter('Only records of this environment, its tags, and the values set in it.'),
});
export type AuditListQuery = z.infer<typeof AuditListQuery>;
