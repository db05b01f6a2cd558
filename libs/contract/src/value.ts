import { z } from 'zod';
import { flag, freeText, internalValueIn, LIMITS, linkIn, linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { flagParameter, listParameter, momentParameters, PageQuery, textParameter } from './query.ts';

/** The last five keys of the recorded shape repeat others under names of an older time. */
export const Value = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ description: 'Its id.' }),
    ledger_id: z.string().meta({ description: 'Changes with every modification.' }),
    active_environment: z
      .string()
      .meta({ description: 'The environment that was asked for; another one when the value is inherited.' }),
    active_environment_id: z
      .string()
      .meta({ description: 'Id of the environment that was asked for; another one when the value is inherited.' }),
    active_environment_name: z.string().meta({ description: 'Name of the environment that was asked for.' }),
    environment: linkOut.meta({ description: 'The environment that the value is set in.' }),
    environment_id: z.string().meta({ description: 'Id of the environment that the value is set in.' }),
    environment_name: z.string().meta({ description: 'Name of the environment that the value is set in.' }),
    parameter: linkOut.meta({
      description:
        'The parameter that the value is set on; that of another project when the value is inherited from there.',
    }),
    parameter_id: z.string().meta({ description: 'Id of the parameter that the value is set on.' }),
    external: z.boolean().meta({ description: 'Whether the text comes from outside.' }),
    external_fqn: z.string().meta({ description: 'Where outside.' }),
    external_filter: z.string().nullable().meta({ description: 'What of the content there.' }),
    external_error: z.string().nullable().meta({ description: 'Why the text could not be had.' }),
    external_status: z.null().meta({ description: 'Always null.' }),
    internal_value: z.string().nullable().meta({ description: 'The text as stored; null for secrets.' }),
    interpolated: z.boolean().meta({ description: 'Whether references in the stored text are replaced.' }),
    value: z
      .string()
      .nullable()
      .meta({ description: 'The text to use: `*****` for a masked secret, null for an explicit "nothing".' }),
    evaluated: z.boolean().meta({ description: 'Whether `value` is the outcome of such a replacement.' }),
    secret: z.boolean().meta({ description: 'Whether the text must not be shown.' }),
    referenced_projects: z.array(linkOut).meta({ description: 'The projects that the text refers to.' }),
    referenced_parameters: z.array(linkOut).meta({ description: 'The parameters that the text refers to.' }),
    referenced_templates: z.array(linkOut).meta({ description: 'The templates that the text refers to.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
    dynamic: z.boolean().meta({ description: 'Repeats `external`.' }),
    dynamic_error: z.string().nullable().meta({ description: 'Repeats `external_error`.' }),
    dynamic_filter: z.string().nullable().meta({ description: 'Repeats `external_filter`.' }),
    dynamic_fqn: z.string().meta({ description: 'Repeats `external_fqn`.' }),
    static_value: z.string().nullable().meta({ description: 'Repeats `internal_value`.' }),
    expires_at: timeOut
      .nullable()
      .meta({ description: 'When it will be older than it should be; null when its parameter does not expire.' }),
  })
  .meta({ id: 'Value', description: 'The text of a parameter in one environment.' });
export type Value = z.infer<typeof Value>;

export const ValuePage = pageOf(Value, 'PaginatedValueList');

const content = {
  external: flag.optional().meta({ description: 'Whether the text comes from outside.' }),
  external_fqn: freeText(LIMITS.fqn).optional().meta({ description: 'Where outside.' }),
  external_filter: freeText(LIMITS.fqn).optional().meta({ description: 'What of the content there.' }),
  internal_value: internalValueIn
    .optional()
    .meta({ description: 'The text, at most 65536 characters; null is an explicit "nothing".' }),
  interpolated: flag.optional().meta({ description: 'Whether references in the text are replaced.' }),
};

/** `internal_value` may be absent (an explicit null is then stored), null, text, or a number. */
export const ValueCreate = z
  .object({ environment: linkIn.meta({ description: 'The environment to set it in.' }), ...content })
  .meta({ id: 'ValueCreate' });
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
