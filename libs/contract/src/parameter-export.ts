import { EXPORT_FORMATS } from '@strata/domain';
import { z } from 'zod';
import { choiceParameter, flagParameter, momentParameters, orderingParameter, textParameter } from './query.ts';

export const ParameterExport = z.object({ body: z.string(), has_secret: z.boolean() }).meta({ id: 'ParameterExport' });
export type ParameterExport = z.infer<typeof ParameterExport>;

export const ParameterExportQuery = z.object({
  ...momentParameters,
  output: choiceParameter(EXPORT_FORMATS, 'The notation of the lines.').unwrap(),
  environment: textParameter('Name or id of the environment; absent means `default`.'),
  mask_secrets: flagParameter('Replace a body that holds a secret by `*****` as a whole.').default(false),
  contains: textParameter('Part of the name, letter case ignored.'),
  startswith: textParameter('Beginning of the name, letter case ignored.'),
  endswith: textParameter('End of the name, letter case ignored.'),
  explicit_export: flagParameter('Put `export` before each line (dotenv and shell).').default(false),
  ordering: orderingParameter,
});
export type ParameterExportQuery = z.infer<typeof ParameterExportQuery>;
