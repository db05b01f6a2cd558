import { ACCESS_ACTIONS, CHANGE_ACTIONS } from '@strata/domain';
import { z } from 'zod';
import { CLOSE_CODES } from './event.ts';
import { timeOutput, uuidOutput } from './fields.ts';
import { booleanParameter, instantParameter, textParameter } from './query.ts';

const cursor = z.string().meta({ description: 'Opaque cursor. Pass it as `after` to continue.' });

/** A record of the audit as a log system receives it: who did what to which object, without values. */
export const AuditStreamRecord = z
  .object({
    kind: z.literal('record'),
    cursor,
    id: uuidOutput.meta({
      description: 'Id of the audit record. It never changes, so you can detect repeated records.',
    }),
    timestamp: timeOutput.meta({ description: 'The time of the action.' }),
    action: z.enum([...CHANGE_ACTIONS, ...ACCESS_ACTIONS]).meta({ description: 'The action.' }),
    actor: z
      .object({ id: z.string(), name: z.string(), type: z.string() })
      .meta({ id: 'AuditStreamActor', description: 'The user or the service account.' }),
    object: z
      .object({ type: z.string(), id: z.string(), name: z.string() })
      .meta({ id: 'AuditStreamObject', description: 'The object, with its name at that time.' }),
    project_id: z.string().nullable().meta({ description: 'Id of the project; null if the object is in no project.' }),
    environment_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the environment; null if the object is in no environment.' }),
    parameter_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the parameter; null if the object belongs to no parameter.' }),
    changeset: z.int().meta({
      description:
        'Revision of the changeset that contains the action. A record of the access log happened after this revision.',
    }),
    surface: z.string().meta({ description: 'The interface that the actor used: `rest` or `graphql`.' }),
    request_id: z.string().meta({ description: 'Id of the request.' }),
    rule: z.string().nullable().meta({
      description: 'For `request_refused` and `sign_in_refused`: the error code; otherwise null.',
    }),
    ability: z
      .string()
      .nullable()
      .meta({ description: 'For `request_refused`: the ability that the operation requires, if it requires one.' }),
    operation: z
      .string()
      .nullable()
      .meta({ description: 'For `request_refused`: the method and the path, with placeholders instead of ids.' }),
    requests: z.int().meta({
      description: 'The number of requests that the record counts. More than 1 only for denied requests and sign-ins.',
    }),
  })
  .meta({ id: 'AuditStreamRecord', description: 'A line of the audit stream: one action of a user on one object.' });
export type AuditStreamRecord = z.infer<typeof AuditStreamRecord>;

export const AuditStreamBookmark = z
  .object({ kind: z.literal('bookmark'), cursor })
  .meta({ id: 'AuditStreamBookmark', description: 'A line of the audit stream: everything before this was sent.' });
export type AuditStreamBookmark = z.infer<typeof AuditStreamBookmark>;

export const AUDIT_CLOSE_CODES = [...CLOSE_CODES, 'forbidden'] as const;
export const AuditStreamClose = z
  .object({ kind: z.literal('close'), code: z.enum(AUDIT_CLOSE_CODES), detail: z.string() })
  .meta({ id: 'AuditStreamClose', description: 'The last line of a stream that Strata ends early.' });
export type AuditStreamClose = z.infer<typeof AuditStreamClose>;

export const AuditStreamQuery = z.object({
  after: textParameter('Cursor to continue after. Default: the oldest record, or the first one at `since`.'),
  since: instantParameter('Start with the records of this time or later. Not together with `after`.'),
  follow: booleanParameter('Keep the stream open, and send new records as they are stored.').default(false),
});
export type AuditStreamQuery = z.infer<typeof AuditStreamQuery>;
