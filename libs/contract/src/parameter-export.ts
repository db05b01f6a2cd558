import { EXPORT_FORMATS } from '@strata/domain';
import { z } from 'zod';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  orderingParameter,
  pointInTimeParameters,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

const ExportFormat = vocabulary(EXPORT_FORMATS, {
  name: 'ExportFormat',
  description: 'The formats of a file of environment variables.',
  meaning: (format) => `The format of ${format}.`,
});

export const ParameterExport = z
  .object({
    body: z.string().meta({ description: 'The lines; `*****` if they contain a masked secret.' }),
    has_secret: z.boolean().meta({ description: 'Whether any of the values is secret.' }),
  })
  .meta({ id: 'ParameterExport', description: 'The parameters of one environment as lines of a file.' });
export type ParameterExport = z.infer<typeof ParameterExport>;

export const ParameterExportQuery = z.object({
  ...pointInTimeParameters,
  output: choiceParameter(ExportFormat, 'The format of the lines.').unwrap(),
  environment: textParameter('Name or id of the environment; defaults to `default`.'),
  mask_secrets: booleanParameter('Replace the whole body by `*****` if it contains a secret.').default(false),
  contains: textParameter('Part of the name, ignoring case.'),
  startswith: textParameter('Beginning of the name, ignoring case.'),
  endswith: textParameter('End of the name, ignoring case.'),
  name__in: namesParameter,
  explicit_export: booleanParameter('Prefix each line with `export` (dotenv and shell).').default(false),
  ordering: orderingParameter,
});
export type ParameterExportQuery = z.infer<typeof ParameterExportQuery>;
