import { z } from 'zod';
import { uuidOutput } from './fields.ts';
import { vocabulary } from './vocabulary.ts';

/** The error codes of OpenFeature that the flags of Strata can have. */
export const FLAG_ERROR_CODES = ['FLAG_NOT_FOUND', 'PARSE_ERROR', 'INVALID_CONTEXT', 'GENERAL'] as const;
export type FlagErrorCode = (typeof FLAG_ERROR_CODES)[number];

const ERROR_MEANINGS: Readonly<Record<FlagErrorCode, string>> = {
  FLAG_NOT_FOUND: 'No flag has this key, or the project or the environment does not exist.',
  PARSE_ERROR: 'The body of the request, or the value of the flag, cannot be parsed.',
  INVALID_CONTEXT: 'The evaluation context is not an object.',
  GENERAL: 'Any other error.',
};
const errorCode = vocabulary(FLAG_ERROR_CODES, {
  name: 'FlagErrorCode',
  description: 'Error code of OpenFeature.',
  meaning: (code) => ERROR_MEANINGS[code],
}).meta({ id: 'FlagErrorCodeEnum' });

const REASON_MEANINGS = {
  STATIC: 'The value is configured.',
  DEFAULT: 'No value is configured, so the provider returns the default of the code.',
} as const;
const reason = vocabulary(['STATIC', 'DEFAULT'], {
  name: 'FlagReason',
  description: 'Reason of OpenFeature for a value.',
  meaning: (word) => REASON_MEANINGS[word],
}).meta({ id: 'FlagReasonEnum' });

const errorDetails = z.string().meta({ description: 'What happened, for people.' });
const key = z.string().meta({ description: 'Key of the flag: the name of the parameter.' });

export const FlagEvaluationRequest = z
  .object({
    context: z.record(z.string(), z.unknown()).optional().meta({
      description: 'The evaluation context. Values of Strata do not depend on it, so it is ignored.',
    }),
  })
  .meta({ id: 'FlagEvaluationRequest', description: 'A request of an OpenFeature provider.' });

export const FlagMetadata = z
  .object({
    parameter_id: uuidOutput.meta({ description: 'Id of the parameter.' }),
    dynamic: z.boolean().optional().meta({ description: 'Whether the value is dynamic. Absent if none is set.' }),
    source_project_name: z.string().optional().meta({
      description: 'Name of the project whose parameter sets the value. Absent if none is set.',
    }),
    source_environment_name: z.string().optional().meta({
      description: 'Name of the environment that sets the value. Absent if none is set.',
    }),
  })
  .meta({ id: 'FlagMetadata', description: 'Where the value of a flag is set.' });

export const FlagEvaluation = z
  .object({
    key,
    value: z.unknown().optional().meta({
      description:
        'The value in the type of the parameter: a boolean, a number or a text. Absent if no value is set, or an explicit null: the provider then returns the default of the code.',
    }),
    reason: reason.optional().meta({ description: 'Why the flag has this value. Absent for an error.' }),
    variant: z.string().optional().meta({ description: 'Name of the environment that sets the value.' }),
    metadata: FlagMetadata,
    errorCode: errorCode.optional().meta({ description: 'Why the flag has no value. Absent if it has one.' }),
    errorDetails: errorDetails.optional(),
  })
  .meta({
    id: 'FlagEvaluation',
    description: 'The value of one flag, or the reason why it has none. Its shape is that of the protocol (OFREP).',
  });
export type FlagEvaluation = z.infer<typeof FlagEvaluation>;

export const FlagSetMetadata = z
  .object({
    project_id: uuidOutput.meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: uuidOutput.meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
  })
  .meta({ id: 'FlagSetMetadata', description: 'What the flags belong to.' });

export const FlagSet = z
  .object({
    flags: z.array(FlagEvaluation).meta({ description: 'One entry per parameter that is not secret, by name.' }),
    metadata: FlagSetMetadata,
  })
  .meta({ id: 'FlagSet', description: 'All flags of one project in one environment.' });
export type FlagSet = z.infer<typeof FlagSet>;

/** The body of every error of the operations of the protocol. `X-Error-Code` contains Strata's own code. */
export const FlagErrorBody = z
  .object({
    detail: z.string().meta({ description: 'The same as `errorDetails`, where all other operations have it.' }),
    key: key.optional().meta({ description: 'Key of the requested flag. Absent for a request of all flags.' }),
    errorCode,
    errorDetails,
  })
  .meta({ id: 'FlagRefusal', description: 'Why a request of an OpenFeature provider was rejected.' });
export type FlagErrorBody = z.infer<typeof FlagErrorBody>;
