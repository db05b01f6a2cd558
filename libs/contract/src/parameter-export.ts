import { EXPORT_FORMATS } from '@strata/domain';
import { z } from 'zod';
import { choiceParameter, flagParameter, momentParameters, orderingParameter, textParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

const ExportFormat = vocabulary(EXPORT_FORMATS, {
  name: 'ExportFormat',
  description: 'Notations of a file of environment variables.',
  meaning: (format) => `As ${format} reads it.`,
});

export const ParameterExport = z
  .object({
    body: z.string().meta({ description: 'The lines; `*****` when they hold a masked secret.' }),
    has_secret: z.boolean().meta({ description: 'Whether any of it is secret.' }),
  })
  .meta({ id: 'ParameterExport', description: 'Parameters of one environment as lines of a file.' });
export type ParameterExport = z.infer<typeof ParameterExport>;

export const ParameterExportQuery = z.object({
  ...momentParameters,
  output: choiceParameter(ExportFormat, 'The notation of the lines.').unwrap(),
  environment: textParameter('Name or id of the environment; absent means `default`.'),
  mask_secrets: flagParameter('Replace a body that holds a secret by `*****` as a whole.').default(false),
  contains: textParameter('Part of the name, letter case ignored.'),
  startswith: textParameter('Beginning of the name, letter case ignored.'),
  endswith: textParameter('End of the name, letter case ignored.'),
  explicit_export: flagParameter('Put `export` before each line (dotenv and shell).').default(false),
  ordering: orderingParameter,
});
export type ParameterExportQuery = z.infer<typeof ParameterExportQuery>;
