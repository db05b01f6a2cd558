import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, instantParameter, PageQuery, textParameter, uuidParameter } from './query.ts';
import { User } from './user.ts';

/** One thing that somebody did to one object. It outlives both. */
export const AuditTrail = z
  .object({
    url: linkOut,
    id: uuidOut,
    action: z.enum(AUDIT_ACTIONS),
    object_id: z.string(),
    object_name: z.string().meta({ description: 'Its name at that time; of a value, the name of its parameter.' }),
    object_type: z.enum(AUDIT_OBJECT_TYPES).meta({ id: 'ObjectTypeEnum' }),
    timestamp: timeOut,
    user: User.meta({ description: 'Who did it. Of somebody who has left, what is still known.' }),
  })
  .meta({ id: 'AuditTrail' });
export type AuditTrail = z.infer<typeof AuditTrail>;

export const AuditPage = pageOf(AuditTrail, 'PaginatedAuditTrailList');

export const AuditSummary = z
  .object({
    earliest: timeOut.nullable(),
    max_days: z.int().meta({ description: 'Older records are not shown.' }),
    max_records: z.int().meta({ description: 'Of more records than this the oldest are not shown.' }),
    total: z.int(),
  })
  .meta({ id: 'AuditTrailSummary' });
export type AuditSummary = z.infer<typeof AuditSummary>;

export const AuditListQuery = PageQuery.extend({
  action: choiceParameter(AUDIT_ACTIONS, 'Only this kind of change.'),
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
