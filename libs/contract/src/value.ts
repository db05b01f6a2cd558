import { z } from 'zod';
import { flag, freeText, internalValueIn, LIMITS, linkIn, linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { flagParameter, listParameter, momentParameters, PageQuery, textParameter } from './query.ts';

/** The last five keys of the recorded shape repeat others under names of an older time. */
export const Value = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    active_environment: z.string(),
    active_environment_id: z.string(),
    active_environment_name: z.string(),
    environment: linkOut,
    environment_id: z.string(),
    environment_name: z.string(),
    parameter: linkOut,
    parameter_id: z.string(),
    external: z.boolean(),
    external_fqn: z.string(),
    external_filter: z.string().nullable(),
    external_error: z.string().nullable(),
    external_status: z.null(),
    internal_value: z.string().nullable().meta({ description: 'The stored text; always null for secrets.' }),
    interpolated: z.boolean(),
    value: z.string().nullable().meta({ description: 'The text to use; `*****` for a masked secret.' }),
    evaluated: z.boolean(),
    secret: z.boolean(),
    referenced_projects: z.array(linkOut),
    referenced_parameters: z.array(linkOut),
    referenced_templates: z.array(linkOut),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
    dynamic: z.boolean(),
    dynamic_error: z.string().nullable(),
    dynamic_filter: z.string().nullable(),
    dynamic_fqn: z.string(),
    static_value: z.string().nullable(),
    expires_at: timeOut.nullable().meta({ description: 'Null when the parameter does not expire.' }),
  })
  .meta({ id: 'Value' });
export type Value = z.infer<typeof Value>;

export const ValuePage = pageOf(Value, 'PaginatedValueList');

const content = {
  external: flag.optional(),
  external_fqn: freeText(LIMITS.fqn).optional(),
  external_filter: freeText(LIMITS.fqn).optional(),
  internal_value: internalValueIn.optional(),
  interpolated: flag.optional(),
};

/** `internal_value` may be absent (an explicit null is then stored), null, text, or a number. */
export const ValueCreate = z.object({ environment: linkIn, ...content }).meta({ id: 'ValueCreate' });
export type ValueCreate = z.infer<typeof ValueCreate>;

/** PUT; a value never moves, so `environment` is not even looked at. */
export const ValueUpdate = z.object(content).meta({ id: 'ValueUpdate' });
export type ValueUpdate = z.infer<typeof ValueUpdate>;

export const ValuePatch = z.object(content).meta({ id: 'PatchedValueUpdate' });
export type ValuePatch = ValueUpdate;

const readParameters = {
  ...momentParameters,
  environment: textParameter('Name or id of an environment.'),
  evaluate: flagParameter('Render dynamic values.').default(true),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
  include: listParameter('Only these fields, separated by commas.'),
  exclude: listParameter('All but these fields, separated by commas.'),
};

export const ValueListQuery = PageQuery.extend(readParameters);
export type ValueListQuery = z.infer<typeof ValueListQuery>;

export const ValueQuery = z.object(readParameters);
export type ValueQuery = z.infer<typeof ValueQuery>;

/** Writes accept both for the sake of their answer. */
export const ValueWriteQuery = z.object({
  environment: readParameters.environment,
  evaluate: readParameters.evaluate,
});
export type ValueWriteQuery = z.infer<typeof ValueWriteQuery>;
