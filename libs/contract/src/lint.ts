import { LINT_KINDS, LINT_REASONS } from '@strata/domain';
import { z } from 'zod';
import { linkOutput } from './fields.ts';
import { lastRead } from './last-read.ts';
import { choicesParameter, instantParameter, textParameter } from './query.ts';
import { walkParameters, walkProgress } from './search.ts';
import { vocabulary } from './vocabulary.ts';

export const LintKind = vocabulary(LINT_KINDS, {
  name: 'LintKind',
  description: 'The kinds of findings about configuration.',
  meaning: (word) => {
    const meanings = {
      redundant_override: 'A value equals the one that would be inherited without it.',
      missing_value: 'A parameter has no effective value in an environment without children.',
      clear_secret: 'A text looks like a secret, but its parameter is not marked as secret.',
      unreferenced_parameter: 'A parameter seems to be unused.',
      expired_value: 'A value has expired.',
    };
    return meanings[word];
  },
});

export const LintReason = vocabulary(LINT_REASONS, {
  name: 'LintReason',
  description: 'The reasons of findings.',
  meaning: (word) => {
    const meanings = {
      same_as_inherited: 'The value equals the one that would be inherited.',
      no_value: 'There is no effective value, not even an explicit null.',
      private_key: 'The text contains a private key.',
      known_token: 'The text contains a credential with a known prefix of its issuer.',
      password_in_url: 'The text is a URL that contains a password.',
      secret_name: 'The name of the parameter suggests a secret.',
      high_entropy: 'The text looks random.',
      never_set:
        'The parameter has no values, no text refers to it, and no dependent project has a parameter with this name.',
      not_exported:
        'Exports omit the parameter because its name is not a valid variable name, and no text refers to it, although texts refer to similar parameters.',
      expired: 'The last change of the value is older than the parameter allows.',
    };
    return meanings[word];
  },
});

/** An operation of this API in the format that a changeset accepts. */
export const MendOperation = z
  .object({
    operation: z.string().meta({ description: 'Id of the operation in this description.' }),
    path: z.record(z.string(), z.string()).meta({ description: 'Values for the placeholders of the path, by name.' }),
    query: z.record(z.string(), z.string()).optional().meta({ description: 'The query parameters.' }),
    body: z.unknown().optional().meta({ description: 'The response body.' }),
  })
  .meta({ id: 'MendOperation', description: 'An operation of this API that would fix a finding.' });
export type MendOperation = z.infer<typeof MendOperation>;

export const LintedEnvironment = z
  .object({
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
  })
  .meta({ id: 'LintedEnvironment', description: 'An environment of a finding.' });
export type LintedEnvironment = z.infer<typeof LintedEnvironment>;

export const LintFinding = z
  .object({
    kind: LintKind.meta({ description: 'The kind of the finding.' }),
    reason: LintReason.meta({ description: 'The reason of the finding.' }),
    detail: z.string().meta({ description: 'A sentence that describes the finding. It never contains a value.' }),
    project_id: z.string().meta({ description: 'The project of the finding.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
    parameter: linkOutput.meta({ description: 'The parameter of the finding.' }),
    parameter_id: z.string().meta({ description: 'Id of that parameter.' }),
    name: z.string().meta({ description: 'Name of that parameter.' }),
    value_id: z.string().nullable().meta({ description: 'The value of the finding, if there is one.' }),
    environments: z.array(LintedEnvironment).meta({
      description:
        'The environments of the finding, sorted by name: where the value is set, or where a value is missing. Can be empty.',
    }),
    operations: z.array(MendOperation).meta({
      description:
        'The operations that fix the finding, in order. Empty if only you can decide on a fix; see `why_not`.',
    }),
    why_not: z
      .string()
      .nullable()
      .meta({ description: 'The reason why there are no operations; null if there are some.' }),
    ...lastRead('the project, in the environments of the finding if there are some', 'Only with `include=last_read`.'),
  })
  .meta({ id: 'LintFinding', description: 'A possible mistake in the configuration.' });
export type LintFinding = z.infer<typeof LintFinding>;

export const LintPage = z
  .object({
    ...walkProgress,
    results: z.array(LintFinding).meta({
      description: 'The findings, sorted by project name, parameter name and kind.',
    }),
  })
  .meta({ id: 'LintPage', description: 'Possible mistakes in the configuration.' });
export type LintPage = z.infer<typeof LintPage>;

export const LintQuery = z.object({
  kind: choicesParameter(LintKind, `Only findings of these kinds, separated by commas: ${LINT_KINDS.join(', ')}.`),
  name: textParameter('Only findings about parameters with this exact name.'),
  expired_by: instantParameter('Report values that expire by this time. Default: now.'),
  include: choicesParameter(
    ['last_read'],
    '`last_read`: also return when a service account last read the configuration of each finding.',
  ),
  ...walkParameters,
});
export type LintQuery = z.infer<typeof LintQuery>;
