import { z } from 'zod';

/** Permission, authentication, not found, conflict, method. */
export const RefusalDetail = z.object({ detail: z.string() }).meta({ id: 'RefusalDetail' });
/** Validation: messages by field; `non_field_errors` for the object as a whole. */
export const RefusalFields = z.record(z.string(), z.array(z.string())).meta({ id: 'RefusalFields' });
/** A few refusals are a bare list, where existing clients expect one. */
export const RefusalList = z.array(z.string()).meta({ id: 'RefusalList' });
/** Texts that could not be evaluated, by the parameter or template that holds them. */
export const RefusalEvaluation = z
  .object({
    detail: z.array(
      z.object({
        parameter_id: z.string(),
        parameter_name: z.string(),
        error_code: z.string(),
        error_detail: z.string(),
      }),
    ),
  })
  .meta({ id: 'TemplateLookupError' });
/** Which of them it is says the shape itself; `X-Error-Code` carries the stable code. */
export const Refusal = z.union([RefusalDetail, RefusalFields, RefusalList, RefusalEvaluation]).meta({ id: 'Refusal' });
export type Refusal = z.infer<typeof Refusal>;
