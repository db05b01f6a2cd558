import { CHANGE_ACTIONS, type PresentVersion } from '@strata/domain';
import { z } from 'zod';
import { timeOutput } from './fields.ts';

/** The body of an error with a single reason, such as a missing permission, an unknown object or a conflict. */
export const ErrorDetail = z.object({ detail: z.string() }).meta({ id: 'RefusalDetail' });

const named = (description: string) =>
  z.object({
    type: z.string().meta({ description: `Type of the ${description}.` }),
    id: z.string().meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the object at that time.' }),
  });

/** The current version of an object that has changed since the client read it. */
export const VersionFound = z
  .object({
    object: named('object').meta({ id: 'VersionedObject', description: 'The object.' }),
    ledger_id: z
      .string()
      .nullable()
      .meta({ description: 'The current version; null if the object was deleted or has no version.' }),
    action: z.enum(CHANGE_ACTIONS).meta({ description: 'The latest action: `create`, `update` or `delete`.' }),
    revision: z.int().meta({ description: 'The revision of the latest action.' }),
    at: timeOutput.meta({ description: 'The time of the latest action.' }),
    actor: named('caller').meta({
      id: 'VersionActor',
      description: 'The user or service account that made the change.',
    }),
  })
  .meta({
    id: 'PresentVersion',
    description: 'The current version of an object, with its author and time.',
  }) satisfies z.ZodType<PresentVersion>;

/** The body of 412: the changed objects that the caller can access. */
export const PreconditionErrorBody = z
  .object({ detail: z.string(), present: z.array(VersionFound).optional() })
  .meta({ id: 'RefusedPrecondition' });
/** The body of a failed validation: messages by field. `non_field_errors` is about the object as a whole. */
const FieldErrors = z.record(z.string(), z.array(z.string())).meta({ id: 'RefusalFields' });
/** A few errors are a bare list, because existing clients expect that. */
const ErrorList = z.array(z.string()).meta({ id: 'RefusalList' });
/** A parameter or template whose text cannot be evaluated. */
export const TemplateLookupErrorEntry = z
  .object({
    parameter_id: z.string(),
    parameter_name: z.string(),
    error_code: z.string(),
    error_detail: z.string(),
  })
  .meta({ id: 'TemplateLookupErrorEntry' });
/** The texts that cannot be evaluated, by their parameter or template. */
const EvaluationErrors = z.object({ detail: z.array(TemplateLookupErrorEntry) }).meta({ id: 'TemplateLookupError' });

/** The body of 400. At most one of the shapes fits a body, so a client can try one after the other. */
export const RequestErrorBody = z.xor([ErrorDetail, FieldErrors, ErrorList]).meta({ id: 'RefusedRequest' });
/** The body of 422. At most one of the shapes fits a body. */
export const EvaluationErrorBody = z.xor([EvaluationErrors, ErrorDetail]).meta({ id: 'RefusedEvaluation' });

/** The body of any error. `X-Error-Code` contains the stable code. Each status is described with its own shapes. */
export const AnyErrorBody = z.union([ErrorDetail, FieldErrors, ErrorList, EvaluationErrors]);
export type AnyErrorBody = z.infer<typeof AnyErrorBody>;
