import { ACCESS_ACTIONS, AUDIT_ACTIONS, AUDIT_OBJECT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, flagParameter, instantParameter, PageQuery, textParameter, uuidParameter } from './query.ts';
import { User } from './user.ts';
import { vocabulary } from './vocabulary.ts';

const ACCESS_MEANINGS: Readonly<Record<string, string>> = {
  reveal: 'To be shown secrets of it in clear.',
  change_password: 'To change the own password, which ends all tokens.',
  sign_out_everywhere: 'To end all tokens of oneself.',
};
const AuditAction = vocabulary([...AUDIT_ACTIONS, ...ACCESS_ACTIONS], {
  name: 'AuditAction',
  description: 'What the audit tells of.',
  meaning: (action) => ACCESS_MEANINGS[action] ?? `To ${action} it.`,
});
const AuditObject = vocabulary(AUDIT_OBJECT_TYPES, {
  name: 'AuditObject',
  description: 'The kinds of objects that the audit knows.',
  meaning: (type) => `An object of the kind ${type}.`,
}).meta({ id: 'ObjectTypeEnum' });

/** One thing that somebody did to one object. It outlives both. */
export const AuditTrail = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    action: AuditAction.meta({ description: 'What was done.' }),
    object_id: z.string().meta({ description: 'Id of the object.' }),
    object_name: z.string().meta({ description: 'Its name at that time; of a value, the name of its parameter.' }),
    object_type: AuditObject.meta({ description: 'What kind of object it was.' }),
    timestamp: timeOut.meta({ description: 'When.' }),
    user: User.meta({ description: 'Who did it. Of somebody who has left, what is still known.' }),
    changeset: z.int().meta({
      description:
        'The changeset that it was part of, by its revision; what is of the access log happened after that one.',
    }),
    project_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'With `places`: the name of the project that it belongs to, at that time.' }),
    environment_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'With `places`: the name of the environment that it is about, at that time.' }),
  })
  .meta({ id: 'AuditTrail', description: 'One thing that somebody did to one object. It outlives both.' });
export type AuditTrail = z.infer<typeof AuditTrail>;

export const AuditPage = pageOf(AuditTrail, 'PaginatedAuditTrailList');

export const AuditSummary = z
  .object({
    earliest: timeOut.nullable().meta({ description: 'When the oldest record that is shown was made.' }),
    max_days: z.int().meta({ description: 'Older records are not shown.' }),
    max_records: z.int().meta({ description: 'Of more records than this the oldest are not shown.' }),
    total: z.int().meta({ description: 'How many records are shown.' }),
  })
  .meta({ id: 'AuditTrailSummary', description: 'How far back the audit goes.' });
export type AuditSummary = z.infer<typeof AuditSummary>;

export const AuditListQuery = PageQuery.extend({
  action: choiceParameter(AuditAction, 'Only this. What only the access log has needs no `access_log`.'),
  access_log: flagParameter(
    'With what changes no configuration: who was shown secrets, changed their password, or signed out everywhere.',
  ).default(false),
  places: flagParameter(
    'With `project_name` and `environment_name`. Those of the access log are told as they are now, and null once they are gone.',
  ).default(false),
  object_type: textParameter('Only objects of this type; a type that is not known has none.'),
  object_id: textParameter('Only this object.'),
  user_id: textParameter('Only what this user did.'),
  earliest: instantParameter('At this instant or later.'),
  latest: instantParameter('At this instant or earlier.'),
  project_id: uuidParameter('A project, its parameters, templates, values and rules.'),
  parameter_id: uuidParameter('A parameter, its values and rules.'),
  environment_id: uuidParameter('An environment, its tags, and the values set in it.'),
});
export type AuditListQuery = z.infer<typeof AuditListQuery>;
