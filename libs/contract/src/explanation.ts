import { CANDIDATE_STATES } from '@strata/domain';
import { z } from 'zod';
import { timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import {
  choicesParameter,
  flagParameter,
  momentParameters,
  moreNameFilters,
  PageQuery,
  textParameter,
} from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** What an explanation may cost; beyond, it says so. */
export const EXPLANATION_LIMITS = {
  /** Names of a list whose last change is looked for. */
  since: 100,
  candidates: 1_000,
  nearestNames: 5,
  otherProjects: 20,
} as const;

const STATE_MEANINGS = {
  set: 'A text is set there.',
  null: 'It is set to null there, which hides what lies above.',
  unset: 'Nothing is set there.',
  closed: 'Something or nothing may be set there: the project or the environment is closed to you.',
} as const;
const state = vocabulary(CANDIDATE_STATES, {
  name: 'CandidateState',
  description: 'What is set in one place.',
  meaning: (word) => STATE_MEANINGS[word],
}).meta({ id: 'CandidateStateEnum' });

const HIDDEN_BY = ['project', 'environment'] as const;
const hiddenBy = vocabulary(HIDDEN_BY, {
  name: 'HiddenBy',
  description: 'Why a value does not apply.',
  meaning: (word) =>
    ({
      project: 'The value of a nearer project in the same environment applies.',
      environment: 'A value in a nearer environment applies, whichever project set it.',
    })[word],
}).meta({ id: 'HiddenByEnum' });

/** Why no value applies. */
export const ABSENCE_CODES = [
  'unset',
  'never_made',
  'name_pattern',
  'other_project',
  'no_longer_inherited',
  'deleted',
  'renamed',
] as const;
const ABSENCE_MEANINGS: Readonly<Record<(typeof ABSENCE_CODES)[number], string>> = {
  unset: 'The project shows the parameter, and nothing is set for it in the environment or above.',
  never_made: 'No project that you may see has, or above this one ever had, a parameter of this name.',
  name_pattern:
    'There is no such parameter, and the name does not fit the pattern of the project: it could not be made.',
  other_project: 'Only other projects, which this one does not depend on, have a parameter of this name.',
  no_longer_inherited:
    'A project that this one depended on has or had it. It went out of sight when `depends_on` was changed, here or further up.',
  deleted: 'There was such a parameter. It was deleted.',
  renamed: 'There was such a parameter. It is called otherwise now.',
};
const absenceCode = vocabulary(ABSENCE_CODES, {
  name: 'AbsenceCode',
  description: 'Why no value applies.',
  meaning: (code) => ABSENCE_MEANINGS[code],
}).meta({ id: 'AbsenceCodeEnum' });

const REFERENCE_KINDS = ['parameter', 'template', 'parameters'] as const;
const referenceKind = vocabulary(REFERENCE_KINDS, {
  name: 'ReferenceKind',
  description: 'What a text refers to.',
  meaning: (kind) =>
    ({ parameter: 'One parameter.', template: 'One template.', parameters: 'All parameters of a project.' })[kind],
}).meta({ id: 'ReferenceKindEnum' });
const DEPENDENT_KINDS = ['value', 'template'] as const;
const dependentKind = vocabulary(DEPENDENT_KINDS, {
  name: 'DependentKind',
  description: 'What a text is.',
  meaning: (kind) => ({ value: 'A dynamic value.', template: 'A template.' })[kind],
}).meta({ id: 'DependentKindEnum' });

const projectOf = {
  project_id: uuidOut.meta({ description: 'Id of the project.' }),
  project_name: z.string().meta({ description: 'Name of the project.' }),
};
const environmentOf = {
  environment_id: uuidOut.meta({ description: 'Id of the environment.' }),
  environment_name: z.string().meta({ description: 'Name of the environment.' }),
};

export const ExplainedValue = z
  .object({
    value_id: uuidOut.meta({ description: 'Id of the value.' }),
    ledger_id: uuidOut.meta({ description: 'Changes with every modification.' }),
    value: z.string().nullable().meta({
      description:
        'The text to use, evaluated; `*****` for a masked secret, null for an explicit null and with a `problem`.',
    }),
    internal_value: z
      .string()
      .nullable()
      .meta({ description: 'The text as it is stored; null of a secret parameter.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret, by itself or by what it refers to.' }),
    interpolated: z.boolean().meta({ description: 'Whether the stored text is one to evaluate.' }),
    evaluated: z.boolean().meta({ description: 'Whether `value` is the result of an evaluation.' }),
    problem: z.string().nullable().meta({ description: 'Why the text cannot be evaluated.' }),
    parameter_id: uuidOut.meta({ description: 'The parameter that it is set on.' }),
    type: z.string().meta({ description: 'Name of the type of that parameter.' }),
    project_id: uuidOut.meta({ description: 'The project that owns that parameter.' }),
    project_name: z.string().meta({ description: 'Its name.' }),
    environment_id: uuidOut.meta({ description: 'The environment that it is set in.' }),
    environment_name: z.string().meta({ description: 'Its name.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'ExplainedValue', description: 'A value, where it is set, and what it says where it is looked at.' });
export type ExplainedValue = z.infer<typeof ExplainedValue>;

export const ExplainedCandidate = z
  .object({
    ...environmentOf,
    ...projectOf,
    parameter_id: uuidOut.nullable().meta({
      description: 'The parameter of the name; null when the project has none, or is closed to you.',
    }),
    value_id: uuidOut.nullable().meta({ description: 'Id of the value that is set there.' }),
    state: state.meta({ description: 'What is set there.' }),
    wins: z.boolean().meta({ description: 'Whether this is the value that applies.' }),
    hidden_by: hiddenBy.nullable().meta({ description: 'Why what is set there does not apply.' }),
  })
  .meta({ id: 'ExplainedCandidate', description: 'One place that is asked for a value.' });
export type ExplainedCandidate = z.infer<typeof ExplainedCandidate>;

export const ExplainedNext = z
  .object({
    state: state.meta({ description: 'What is set in the place that would be next.' }),
    value: ExplainedValue.nullable().meta({ description: 'The value that would apply; null unless one is set.' }),
  })
  .meta({ id: 'ExplainedNext', description: 'What would apply if the value that applies were removed.' });
export type ExplainedNext = z.infer<typeof ExplainedNext>;

export const ExplainedSource = z
  .object({
    value_id: uuidOut.meta({ description: 'Id of the value.' }),
    value: z.string().nullable().meta({ description: 'The text that it gives; `*****` for a masked secret.' }),
    secret: z.boolean().meta({ description: 'Whether that text is secret.' }),
    parameter_id: uuidOut.meta({ description: 'The parameter that it is set on.' }),
    ...projectOf,
    ...environmentOf,
  })
  .meta({ id: 'ExplainedSource', description: 'The value that a reference leads to, and where it is set.' });
export type ExplainedSource = z.infer<typeof ExplainedSource>;

export const ExplainedReference = z
  .object({
    kind: referenceKind.meta({ description: 'What is referred to.' }),
    name: z.string().meta({ description: 'Its name; empty when all parameters are meant.' }),
    project_id: uuidOut.meta({ description: 'The project in which the name is looked up.' }),
    project_name: z.string().meta({ description: 'Its name.' }),
    named: z.boolean().meta({ description: 'Whether the text names the project; else it is its own.' }),
    target_id: uuidOut.nullable().meta({ description: 'Id of the parameter or template; null when all are meant.' }),
    state: state.nullable().meta({ description: 'Of a parameter: what applies there.' }),
    winner: ExplainedSource.nullable().meta({ description: 'Of a parameter: the value that applies.' }),
  })
  .meta({ id: 'ExplainedReference', description: 'One thing that a dynamic value refers to.' });
export type ExplainedReference = z.infer<typeof ExplainedReference>;

export const ExplainedDependent = z
  .object({
    kind: dependentKind.meta({ description: 'What says the name.' }),
    id: uuidOut.meta({ description: 'Id of the value or template.' }),
    name: z.string().meta({ description: 'Name of the template, or of the parameter that the value is set on.' }),
    ...projectOf,
    environment_id: uuidOut
      .nullable()
      .meta({ description: 'The environment that the value is set in; null of a template.' }),
    environment_name: z.string().nullable().meta({ description: 'Its name.' }),
    parameter_id: uuidOut.meta({ description: 'The parameter of this name that it refers to.' }),
  })
  .meta({ id: 'ExplainedDependent', description: 'A text that refers to the name.' });
export type ExplainedDependent = z.infer<typeof ExplainedDependent>;

export const ExplainedChange = z
  .object({
    revision: z.int().meta({ description: 'The revision from which on it has been so.' }),
    at: timeOut.nullable().meta({ description: 'Its instant.' }),
    exact: z.boolean().meta({
      description:
        'False when the history is too long to be walked through: it has been so at least since this revision.',
    }),
    actor_id: z
      .string()
      .nullable()
      .meta({ description: 'Who did it; null, like what follows, of what is closed to you.' }),
    actor_name: z.string().nullable().meta({ description: 'Their name.' }),
    actor_type: z.string().nullable().meta({ description: '`interactive` or `service`.' }),
    action: z.string().nullable().meta({ description: '`create`, `update` or `delete`.' }),
    object_type: z
      .string()
      .nullable()
      .meta({ description: 'What was changed: `Value`, `Parameter`, `Environment`, `Project` or `Template`.' }),
    object_id: z.string().nullable().meta({ description: 'Its id.' }),
    object_name: z.string().nullable().meta({ description: 'Its name at that time.' }),
    project_id: uuidOut.nullable().meta({ description: 'The project that it happened in.' }),
    project_name: z.string().nullable().meta({ description: 'Its name at that time.' }),
    environment_id: uuidOut.nullable().meta({ description: 'The environment that it happened in.' }),
    environment_name: z.string().nullable().meta({ description: 'Its name at that time.' }),
  })
  .meta({
    id: 'ExplainedChange',
    description: 'The change since which the text, or its absence, has been what it is here.',
  });
export type ExplainedChange = z.infer<typeof ExplainedChange>;

export const ExplainedProject = z.object(projectOf).meta({ id: 'ExplainedProject', description: 'A project.' });

export const ExplainedAbsence = z
  .object({
    code: absenceCode.meta({ description: 'Why there is none.' }),
    detail: z.string().meta({ description: 'The same in words.' }),
    nearest_names: z.array(z.string()).meta({ description: 'Names that the project shows and that look alike.' }),
    other_projects: z.array(ExplainedProject).meta({ description: 'Projects that have such a parameter.' }),
    revision: z.int().nullable().meta({ description: 'When it was deleted or renamed, or went out of sight.' }),
    at: timeOut.nullable().meta({ description: 'The instant of that.' }),
    actor_name: z.string().nullable().meta({ description: 'Who did it; null where that is closed to you.' }),
    renamed_to: z.string().nullable().meta({ description: 'What it is called instead.' }),
  })
  .meta({ id: 'ExplainedAbsence', description: 'Why no value applies.' });
export type ExplainedAbsence = z.infer<typeof ExplainedAbsence>;

export const Explanation = z
  .object({
    name: z.string().meta({ description: 'The name that is explained.' }),
    parameter_id: uuidOut.nullable().meta({ description: 'The parameter that the project shows under it.' }),
    description: z.string().nullable().meta({ description: 'What that parameter is for.' }),
    type: z.string().nullable().meta({ description: 'Name of its type.' }),
    secret: z.boolean().nullable().meta({ description: 'Whether it is secret.' }),
    owner_id: uuidOut.nullable().meta({ description: 'The project that owns it.' }),
    owner_name: z.string().nullable().meta({ description: 'Its name.' }),
    ...environmentOf,
    winner: ExplainedValue.nullable().meta({ description: 'The value that applies.' }),
    reason: ExplainedAbsence.nullable().meta({ description: 'Why there is no value that applies.' }),
    next: ExplainedNext.nullable().meta({
      description: 'What would apply if that value were removed; null when there is none.',
    }),
    candidates: z.array(ExplainedCandidate).nullable().meta({
      description:
        'Every place that is asked, in the order in which they are asked: the environment with each project, then its parent. Only with `name`.',
    }),
    candidates_count: z
      .int()
      .nullable()
      .meta({
        description: `How many there are; at most ${EXPLANATION_LIMITS.candidates} are listed. Only with \`name\`.`,
      }),
    made_of: z.array(ExplainedReference).nullable().meta({
      description: 'What the text refers to, of a dynamic value. Only with `name`.',
    }),
    made_of_hidden: z
      .int()
      .nullable()
      .meta({ description: 'How many more references are closed to you. Only with `name`.' }),
    needed_by: z.array(ExplainedDependent).nullable().meta({
      description:
        'Texts that say the name, without those that ask a project further up than the one whose value applies. Only with `name`.',
    }),
    needed_by_hidden: z
      .int()
      .nullable()
      .meta({ description: 'How many texts that say the name are closed to you. Only with `name`.' }),
    since: ExplainedChange.nullable().meta({
      description: 'The latest change of what applies here, whatever caused it. With `name`, or with `include=since`.',
    }),
  })
  .meta({ id: 'Explanation', description: 'Why a name has the value that it has in one environment.' });
export type Explanation = z.infer<typeof Explanation>;

export const ExplanationPage = pageOf(Explanation, 'PaginatedExplanationList');

export const ExplanationQuery = PageQuery.omit({ ordering: true }).extend({
  ...momentParameters,
  environment: textParameter('Name or id of the environment; absent means `default`.'),
  mask_secrets: flagParameter('Replace the text of secrets by `*****`.').default(false),
  immediate_parameters: flagParameter('Only parameters of this project itself.').default(false),
  secret: flagParameter('Only secret, or only other, parameters.').optional(),
  include: choicesParameter(
    ['since'],
    `\`since\`: also tell the latest change of each, in lists of at most ${EXPLANATION_LIMITS.since} names.`,
  ),
  ...moreNameFilters,
  name: textParameter('Explain this name, at length, whether it is there or not; other filters do not count then.'),
});
export type ExplanationQuery = z.infer<typeof ExplanationQuery>;
