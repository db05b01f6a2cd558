import { z } from 'zod';
import {
  flagField,
  freeTextField,
  internalValueIn,
  LIMITS,
  linkIn,
  linkOutput,
  timeOutput,
  versionedObject,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { booleanParameter, listParameter, PageQuery, pointInTimeParameters, textParameter } from './query.ts';

/** The last five members repeat other members under the names that an older version used. */
export const Value = z
  .object({
    ...versionedObject,
    active_environment: z
      .string()
      .meta({ description: 'The requested environment, which differs from the source of an inherited value.' }),
    active_environment_id: z.string().meta({ description: 'Id of the requested environment.' }),
    active_environment_name: z.string().meta({ description: 'Name of the requested environment.' }),
    environment: linkOutput.meta({ description: 'The environment that the value is set in.' }),
    environment_id: z.string().meta({ description: 'Id of the environment that the value is set in.' }),
    environment_name: z.string().meta({ description: 'Name of the environment that the value is set in.' }),
    parameter: linkOutput.meta({
      description:
        'The parameter that the value is set on. It belongs to another project if the value is inherited from it.',
    }),
    parameter_id: z.string().meta({ description: 'Id of the parameter that the value is set on.' }),
    external: z.boolean().meta({ description: 'Whether the text comes from an external system.' }),
    external_fqn: z.string().meta({ description: 'Location in the external system.' }),
    external_filter: z
      .string()
      .nullable()
      .meta({ description: 'A JMESPath expression to apply to the external content.' }),
    external_error: z.string().nullable().meta({
      description:
        'The reason why the text may be older than the content in the external system; null if it is current.',
    }),
    external_status: z.null().meta({ description: 'Always null.' }),
    internal_value: z.string().nullable().meta({ description: 'The stored text; null for secrets.' }),
    interpolated: z.boolean().meta({ description: 'Whether references in the stored text are evaluated.' }),
    value: z
      .string()
      .nullable()
      .meta({ description: 'The effective text: `*****` for a masked secret, null for an explicit null.' }),
    evaluated: z.boolean().meta({ description: 'Whether `value` is the result of an evaluation.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
    referenced_projects: z.array(linkOutput).meta({ description: 'The projects that the text refers to.' }),
    referenced_parameters: z.array(linkOutput).meta({ description: 'The parameters that the text refers to.' }),
    referenced_templates: z.array(linkOutput).meta({ description: 'The templates that the text refers to.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
    dynamic: z.boolean().meta({ description: 'Repeats `external`.' }),
    dynamic_error: z.string().nullable().meta({ description: 'Repeats `external_error`.' }),
    dynamic_filter: z.string().nullable().meta({ description: 'Repeats `external_filter`.' }),
    dynamic_fqn: z.string().meta({ description: 'Repeats `external_fqn`.' }),
    static_value: z.string().nullable().meta({ description: 'Repeats `internal_value`.' }),
    expires_at: timeOutput
      .nullable()
      .meta({ description: 'When the value expires; null if its parameter has no expiration.' }),
  })
  .meta({ id: 'Value', description: 'The value of a parameter in one environment.' });
export type Value = z.infer<typeof Value>;

/** The members about external systems of a value that is stored here. */
export const NOT_EXTERNAL = {
  external: false,
  external_fqn: '',
  external_filter: '',
  external_error: null,
  external_status: null,
} as const satisfies Partial<Value>;

/** Returns the members about the external system that the text of a value comes from; null if it is stored here. */
export function presentExternalSource(
  source: { readonly fqn: string; readonly filter: string; readonly error: { readonly detail: string } | null } | null,
) {
  if (source === null) return NOT_EXTERNAL;
  const { fqn, filter, error } = source;
  return {
    external: true,
    external_fqn: fqn,
    external_filter: filter,
    external_error: error?.detail ?? null,
    external_status: null,
  };
}

export const ValuePage = pageSchema(Value, 'PaginatedValueList');

const content = {
  external: flagField.optional().meta({ description: 'Whether the text comes from an external system.' }),
  external_fqn: freeTextField(LIMITS.fqn).optional().meta({ description: 'Location in the external system.' }),
  external_filter: freeTextField(LIMITS.fqn)
    .optional()
    .meta({ description: 'A JMESPath expression to apply to the external content.' }),
  internal_value: internalValueIn
    .optional()
    .meta({ description: 'The text, at most 65536 characters; null is an explicit null.' }),
  interpolated: flagField.optional().meta({ description: 'Whether references in the text are evaluated.' }),
};

/** `internal_value` may be absent or null (both store an explicit null), a text or a number. */
export const ValueCreate = z
  .object({ environment: linkIn.meta({ description: 'The environment to set the value in.' }), ...content })
  .meta({ id: 'ValueCreate' });
export type ValueCreate = z.infer<typeof ValueCreate>;

/** The body of PUT. A value cannot move to another environment, so `environment` is ignored. */
export const ValueUpdate = z.object(content).meta({ id: 'ValueUpdate' });
export type ValueUpdate = z.infer<typeof ValueUpdate>;

export const ValuePatch = z.object(content).meta({ id: 'PatchedValueUpdate' });
export type ValuePatch = ValueUpdate;

const readParameters = {
  ...pointInTimeParameters,
  environment: textParameter('Name or id of an environment.'),
  evaluate: booleanParameter('Evaluate dynamic values.').default(true),
  mask_secrets: booleanParameter('Replace the text of secrets by `*****`.').default(false),
  include: listParameter('Return only these fields, separated by commas.'),
  exclude: listParameter('Omit these fields, separated by commas.'),
};

export const ValueListQuery = PageQuery.extend(readParameters);
export type ValueListQuery = z.infer<typeof ValueListQuery>;

export const ValueQuery = z.object(readParameters);
export type ValueQuery = z.infer<typeof ValueQuery>;

/** Query parameters that writes accept because they affect the response. */
export const ValueWriteQuery = z.object({
  environment: readParameters.environment,
  evaluate: readParameters.evaluate,
});
export type ValueWriteQuery = z.infer<typeof ValueWriteQuery>;
