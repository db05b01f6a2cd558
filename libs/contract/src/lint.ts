import { LINT_KINDS, LINT_REASONS } from '@strata/domain';
import { z } from 'zod';
import { linkOut } from './fields.ts';
import { choicesParameter, instantParameter, textParameter } from './query.ts';
import { walkParameters, walkProgress } from './search.ts';
import { vocabulary } from './vocabulary.ts';

export const LintKind = vocabulary(LINT_KINDS, {
  name: 'LintKind',
  description: 'What is found about configuration.',
  meaning: (word) => {
    const meanings = {
      redundant_override: 'A value says what would apply without it.',
      missing_value: 'No value applies in an environment that nothing is below.',
      clear_secret: 'A text looks like a secret, and its parameter is not secret.',
      unreferenced_parameter: 'Nothing seems to need a parameter.',
      expired_value: 'A value is older than its parameter allows.',
    };
    return meanings[word];
  },
});

export const LintReason = vocabulary(LINT_REASONS, {
  name: 'LintReason',
  description: 'Why something is found.',
  meaning: (word) => {
    const meanings = {
      same_as_inherited: 'The value says what would be inherited.',
      no_value: 'Nothing applies, not even an explicit null.',
      private_key: 'The text holds a private key.',
      known_token: 'The text holds a credential that its issuer marks as one.',
      password_in_url: 'The text is a URL with a password in it.',
      secret_name: 'The parameter is called like a secret.',
      high_entropy: 'The text looks as if it were random.',
      never_set: 'It has no value anywhere, no text says its name, and no project below has one of that name.',
      not_exported:
        'Exports leave it out because no variable can be called so, and no text says its name, though texts say others of the kind.',
      expired: 'Its last change is longer ago than the parameter allows.',
    };
    return meanings[word];
  },
});

/** An operation of this API as data, as a changeset takes it. */
export const MendOperation = z
  .object({
    operation: z.string().meta({ description: 'Id of the operation in this description.' }),
    path: z.record(z.string(), z.string()).meta({ description: 'What stands for the placeholders of its path.' }),
    query: z.record(z.string(), z.string()).optional().meta({ description: 'Its query.' }),
    body: z.unknown().optional().meta({ description: 'Its body.' }),
  })
  .meta({ id: 'MendOperation', description: 'An operation of this API that would mend a finding.' });
export type MendOperation = z.infer<typeof MendOperation>;

export const LintedEnvironment = z
  .object({
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
  })
  .meta({ id: 'LintedEnvironment', description: 'An environment that a finding is about.' });
export type LintedEnvironment = z.infer<typeof LintedEnvironment>;

export const LintFinding = z
  .object({
    kind: LintKind.meta({ description: 'What is found.' }),
    reason: LintReason.meta({ description: 'Why.' }),
    detail: z.string().meta({ description: 'The finding in words. It never quotes a value.' }),
    project_id: z.string().meta({ description: 'The project that it is found in.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
    parameter: linkOut.meta({ description: 'The parameter that it is about.' }),
    parameter_id: z.string().meta({ description: 'Id of that parameter.' }),
    name: z.string().meta({ description: 'Name of that parameter.' }),
    value_id: z.string().nullable().meta({ description: 'The value that it is about, if it is about one.' }),
    environments: z.array(LintedEnvironment).meta({
      description: 'Where, by name: where the value is set, or where there is none. Empty when it is about none.',
    }),
    operations: z.array(MendOperation).meta({
      description: 'What would mend it, in this order; empty where nobody but you can know. See `why_not`.',
    }),
    why_not: z.string().nullable().meta({ description: 'Why there are no operations; null where there are.' }),
  })
  .meta({ id: 'LintFinding', description: 'Something about configuration that may be a mistake.' });
export type LintFinding = z.infer<typeof LintFinding>;

export const LintPage = z
  .object({
    ...walkProgress,
    results: z.array(LintFinding).meta({
      description: 'By name of the project, then by name of the parameter, then by kind.',
    }),
  })
  .meta({ id: 'LintPage', description: 'What may be wrong with configuration.' });
export type LintPage = z.infer<typeof LintPage>;

export const LintQuery = z.object({
  kind: choicesParameter(LintKind, `Only findings of these kinds, separated by commas: ${LINT_KINDS.join(', ')}.`),
  name: textParameter('Only about parameters of exactly this name.'),
  expired_by: instantParameter('Values that will have expired by this instant; by the time of reading when left out.'),
  ...walkParameters,
});
export type LintQuery = z.infer<typeof LintQuery>;
