import { z } from 'zod';

/** Permission, authentication, not found, conflict, method. */
export const RefusalDetail = z.object({ detail: z.string() }).meta({ id: 'RefusalDetail' });
/** Validation: messages by field; `non_field_errors` for the object as a whole. */
export const RefusalFields = z.record(z.string(), z.array(z.string())).meta({ id: 'RefusalFields' });
/** A few refusals are a bare list, where existing clients expect one. */
export const RefusalList = z.array(z.string()).meta({ id: 'RefusalList' });
/** Which of them it is says the shape itself; `X-Error-Code` carries the stable code. */
export const Refusal = z.union([RefusalDetail, RefusalFields, RefusalList]).meta({ id: 'Refusal' });
export type Refusal = z.infer<typeof Refusal>;
