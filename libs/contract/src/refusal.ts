import { CHANGE_ACTIONS, type PresentVersion } from '@strata/domain';
import { z } from 'zod';
import { timeOut } from './fields.ts';

/** What a refusal with one reason says: permission, authentication, not found, conflict, method. */
export const RefusalDetail = z.object({ detail: z.string() }).meta({ id: 'RefusalDetail' });

const named = (about: string) =>
  z.object({
    type: z.string().meta({ description: `What kind of ${about}.` }),
    id: z.string().meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name at that time.' }),
  });

/** What an object is now that is not what somebody expected. */
export const VersionFound = z
  .object({
    object: named('object').meta({ id: 'VersionedObject', description: 'The object.' }),
    ledger_id: z.string().nullable().meta({ description: 'Its present version; null when it is gone or has none.' }),
    action: z.enum(CHANGE_ACTIONS).meta({ description: 'What was done to it last: create, update or delete.' }),
    revision: z.int().meta({ description: 'The revision that did it.' }),
    at: timeOut.meta({ description: 'When.' }),
    actor: named('caller').meta({ id: 'VersionActor', description: 'Who did it.' }),
  })
  .meta({
    id: 'PresentVersion',
    description: 'The version that an object has now, and who made it when.',
  }) satisfies z.ZodType<PresentVersion>;

/** The body of 412: what the objects are that have changed, as far as the caller may know. */
export const RefusedPrecondition = z
  .object({ detail: z.string(), present: z.array(VersionFound).optional() })
  .meta({ id: 'RefusedPrecondition' });
/** What a failed validation says: messages by field; `non_field_errors` for the object as a whole. */
export const RefusalFields = z.record(z.string(), z.array(z.string())).meta({ id: 'RefusalFields' });
/** A few refusals are a bare list, where existing clients expect one. */
export const RefusalList = z.array(z.string()).meta({ id: 'RefusalList' });
/** A parameter or template whose text could not be evaluated. */
export const TemplateLookupErrorEntry = z
  .object({
    parameter_id: z.string(),
    parameter_name: z.string(),
    error_code: z.string(),
    error_detail: z.string(),
  })
  .meta({ id: 'TemplateLookupErrorEntry' });
/** The texts that could not be evaluated, by the parameter or template that holds them. */
export const RefusalEvaluation = z
  .object({ detail: z.array(TemplateLookupErrorEntry) })
  .meta({ id: 'TemplateLookupError' });

/** The body of 400. At most one of the shapes fits a body, so a client can try one after the other. */
export const RefusedRequest = z.xor([RefusalDetail, RefusalFields, RefusalList]).meta({ id: 'RefusedRequest' });
/** The body of 422. At most one of the shapes fits a body. */
export const RefusedEvaluation = z.xor([RefusalEvaluation, RefusalDetail]).meta({ id: 'RefusedEvaluation' });

/** The body of any refusal; `X-Error-Code` carries the stable code. Each status is described with the shapes that it has. */
export const Refusal = z.union([RefusalDetail, RefusalFields, RefusalList, RefusalEvaluation]);
export type Refusal = z.infer<typeof Refusal>;
