import { CANDIDATE_STATES } from '@strata/domain';
import { z } from 'zod';
import { timeOutput, uuidOutput } from './fields.ts';
import { lastRead, ReadBy } from './last-read.ts';
import { pageSchema } from './page.ts';
import { KeyReasonName, KeyStateName } from './push-key.ts';
import { vocabulary } from './vocabulary.ts';

/** The limits of an explanation. If one is exceeded, the response says so. */
export const EXPLANATION_LIMITS = {
  /** The maximum number of names in a list for which the response includes the latest change. */
  since: 100,
  candidates: 1_000,
  nearestNames: 5,
  /** The keys of pushes that are listed. */
  pushes: 50,
  otherProjects: 20,
} as const;

const STATE_MEANINGS = {
  set: 'A text is set in this cell.',
  null: 'An explicit null is set in this cell and hides inherited values.',
  unset: 'Nothing is set in this cell.',
  closed: 'You cannot access the project or the environment, so it is not shown whether a value is set.',
} as const;
/** The content of one of the cells that resolution checks. */
export const candidateState = vocabulary(CANDIDATE_STATES, {
  name: 'CandidateState',
  description: 'The content of one cell.',
  meaning: (word) => STATE_MEANINGS[word],
}).meta({ id: 'CandidateStateEnum' });

const HIDDEN_BY = ['project', 'environment'] as const;
const hiddenBy = vocabulary(HIDDEN_BY, {
  name: 'HiddenBy',
  description: 'The reason why a value is not the effective one.',
  meaning: (word) =>
    ({
      project: 'The value of a nearer project in the same environment takes precedence.',
      environment: 'A value in a nearer environment takes precedence, in any project.',
    })[word],
}).meta({ id: 'HiddenByEnum' });

/** The reason why there is no effective value. */
const ABSENCE_CODES = [
  'unset',
  'never_made',
  'name_pattern',
  'other_project',
  'no_longer_inherited',
  'deleted',
  'renamed',
] as const;
const ABSENCE_MEANINGS: Readonly<Record<(typeof ABSENCE_CODES)[number], string>> = {
  unset: 'The project has the parameter, but no value is set in the environment or its ancestors.',
  never_made: 'No project that you can access has a parameter with this name, and this project never inherited one.',
  name_pattern:
    "There is no such parameter. The name does not match the project's pattern, so it cannot be created either.",
  other_project: 'Only other projects, which this one does not depend on, have a parameter with this name.',
  no_longer_inherited:
    'A project that this one used to depend on has or had it. It is no longer inherited because `depends_on` was changed, here or in an ancestor.',
  deleted: 'The parameter was deleted.',
  renamed: 'The parameter was renamed.',
};
const absenceCode = vocabulary(ABSENCE_CODES, {
  name: 'AbsenceCode',
  description: 'The reason why there is no effective value.',
  meaning: (code) => ABSENCE_MEANINGS[code],
}).meta({ id: 'AbsenceCodeEnum' });

const REFERENCE_KINDS = ['parameter', 'template', 'parameters'] as const;
const referenceKind = vocabulary(REFERENCE_KINDS, {
  name: 'ReferenceKind',
  description: 'The kinds of references in a text.',
  meaning: (kind) =>
    ({ parameter: 'One parameter.', template: 'One template.', parameters: 'All parameters of a project.' })[kind],
}).meta({ id: 'ReferenceKindEnum' });
const DEPENDENT_KINDS = ['value', 'template'] as const;
const dependentKind = vocabulary(DEPENDENT_KINDS, {
  name: 'DependentKind',
  description: 'The kinds of texts that can contain references.',
  meaning: (kind) => ({ value: 'A dynamic value.', template: 'A template.' })[kind],
}).meta({ id: 'DependentKindEnum' });

const projectOf = {
  project_id: uuidOutput.meta({ description: 'Id of the project.' }),
  project_name: z.string().meta({ description: 'Name of the project.' }),
};
const environmentOf = {
  environment_id: uuidOutput.meta({ description: 'Id of the environment.' }),
  environment_name: z.string().meta({ description: 'Name of the environment.' }),
};

export const ExplainedExternal = z
  .object({
    fqn: z.string().meta({ description: 'Location in the external system.' }),
    filter: z.string().meta({ description: 'The JMESPath expression that is applied to the content.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The reason why the text may be older than the content; null if it is current.' }),
  })
  .meta({ id: 'ExplainedExternal', description: 'The external system that the text of a value comes from.' });

export const ExplainedValue = z
  .object({
    value_id: uuidOutput.meta({ description: 'Id of the value.' }),
    ledger_id: uuidOutput.meta({ description: 'Version of the object. It changes with every modification.' }),
    value: z.string().nullable().meta({
      description:
        'The effective text, evaluated; `*****` for a masked secret; null for an explicit null and if there is a `problem`.',
    }),
    internal_value: z.string().nullable().meta({ description: 'The stored text; null for a secret parameter.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret or refers to a secret.' }),
    interpolated: z.boolean().meta({ description: 'Whether the stored text is evaluated (dynamic).' }),
    evaluated: z.boolean().meta({ description: 'Whether `value` is the result of an evaluation.' }),
    problem: z.string().nullable().meta({ description: 'The reason why the text cannot be evaluated.' }),
    external: ExplainedExternal.nullable().meta({ description: 'Where the text comes from; null if it is set here.' }),
    parameter_id: uuidOutput.meta({ description: 'The parameter that the value is set on.' }),
    type: z.string().meta({ description: 'Name of the type of that parameter.' }),
    project_id: uuidOutput.meta({ description: 'The project that owns that parameter.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: uuidOutput.meta({ description: 'The environment that the value is set in.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'ExplainedValue', description: 'A value, where it is set, and its text in the inspected environment.' });
export type ExplainedValue = z.infer<typeof ExplainedValue>;

export const ExplainedCandidate = z
  .object({
    ...environmentOf,
    ...projectOf,
    parameter_id: uuidOutput.nullable().meta({
      description: 'The parameter with the name; null if the project has none or you cannot access the project.',
    }),
    value_id: uuidOutput.nullable().meta({ description: 'Id of the value that is set there.' }),
    state: candidateState.meta({ description: 'The content of the cell.' }),
    wins: z.boolean().meta({ description: 'Whether this is the effective value.' }),
    hidden_by: hiddenBy
      .nullable()
      .meta({ description: 'The reason why the value of this cell is not the effective one.' }),
  })
  .meta({ id: 'ExplainedCandidate', description: 'One cell that is checked for a value.' });
export type ExplainedCandidate = z.infer<typeof ExplainedCandidate>;

export const ExplainedNext = z
  .object({
    state: candidateState.meta({ description: 'The content of the next cell in order of precedence.' }),
    value: ExplainedValue.nullable().meta({
      description: 'The value that would become effective; null if none is set.',
    }),
  })
  .meta({ id: 'ExplainedNext', description: 'The value that would become effective if the current one were removed.' });
export type ExplainedNext = z.infer<typeof ExplainedNext>;

export const ExplainedSource = z
  .object({
    value_id: uuidOutput.meta({ description: 'Id of the value.' }),
    value: z.string().nullable().meta({ description: 'The resolved text; `*****` for a masked secret.' }),
    secret: z.boolean().meta({ description: 'Whether the text is secret.' }),
    parameter_id: uuidOutput.meta({ description: 'The parameter that the value is set on.' }),
    ...projectOf,
    ...environmentOf,
  })
  .meta({ id: 'ExplainedSource', description: 'The value that a reference resolves to, and where it is set.' });
export type ExplainedSource = z.infer<typeof ExplainedSource>;

export const ExplainedReference = z
  .object({
    kind: referenceKind.meta({ description: 'The kind of the referenced object.' }),
    name: z.string().meta({ description: 'Name of the referenced object; empty for all parameters.' }),
    project_id: uuidOutput.meta({ description: 'The project in which the name is looked up.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    named: z
      .boolean()
      .meta({ description: 'Whether the text names the project. If not, the reference is to its own project.' }),
    target_id: uuidOutput.nullable().meta({ description: 'Id of the parameter or template; null for all parameters.' }),
    state: candidateState.nullable().meta({ description: 'For a parameter: the state of its effective value.' }),
    winner: ExplainedSource.nullable().meta({ description: 'For a parameter: the effective value.' }),
  })
  .meta({ id: 'ExplainedReference', description: 'One reference of a dynamic value.' });
export type ExplainedReference = z.infer<typeof ExplainedReference>;

export const ExplainedDependent = z
  .object({
    kind: dependentKind.meta({ description: 'The kind of object that contains the reference.' }),
    id: uuidOutput.meta({ description: 'Id of the value or template.' }),
    name: z.string().meta({ description: 'Name of the template, or of the parameter that the value is set on.' }),
    ...projectOf,
    environment_id: uuidOutput
      .nullable()
      .meta({ description: 'The environment that the value is set in; null for a template.' }),
    environment_name: z.string().nullable().meta({ description: 'Name of the environment.' }),
    parameter_id: uuidOutput.meta({ description: 'The parameter with this name that the text refers to.' }),
  })
  .meta({ id: 'ExplainedDependent', description: 'A text that refers to the parameter.' });
export type ExplainedDependent = z.infer<typeof ExplainedDependent>;

export const ExplainedChange = z
  .object({
    revision: z.int().meta({ description: 'The first revision with the current state.' }),
    at: timeOutput.nullable().meta({ description: 'The time of that revision.' }),
    exact: z.boolean().meta({
      description: 'False if the history is too long to search: the state is then at least as old as this revision.',
    }),
    actor_id: z.string().nullable().meta({
      description:
        'Id of the user who did it. This and the following members are null if you cannot access the object.',
    }),
    actor_name: z.string().nullable().meta({ description: 'Name of the user.' }),
    actor_type: z.string().nullable().meta({ description: '`interactive` or `service`.' }),
    action: z.string().nullable().meta({ description: '`create`, `update` or `delete`.' }),
    object_type: z.string().nullable().meta({
      description: 'Type of the changed object: `Value`, `Parameter`, `Environment`, `Project` or `Template`.',
    }),
    object_id: z.string().nullable().meta({ description: 'Id of the object.' }),
    object_name: z.string().nullable().meta({ description: 'The name at that time.' }),
    project_id: uuidOutput.nullable().meta({ description: 'The project that contains the object.' }),
    project_name: z.string().nullable().meta({ description: 'The name at that time.' }),
    environment_id: uuidOutput.nullable().meta({ description: 'The environment that contains the object.' }),
    environment_name: z.string().nullable().meta({ description: 'The name at that time.' }),
  })
  .meta({
    id: 'ExplainedChange',
    description: 'The change that led to the current text or to its absence.',
  });
export type ExplainedChange = z.infer<typeof ExplainedChange>;

export const ExplainedProject = z.object(projectOf).meta({ id: 'ExplainedProject', description: 'A project.' });

export const ExplainedAbsence = z
  .object({
    code: absenceCode.meta({ description: 'The reason, as a code.' }),
    detail: z.string().meta({ description: 'The reason, as a sentence.' }),
    nearest_names: z.array(z.string()).meta({ description: 'Similar names that exist in the project.' }),
    other_projects: z.array(ExplainedProject).meta({ description: 'Projects that have a parameter with this name.' }),
    revision: z
      .int()
      .nullable()
      .meta({ description: 'The revision in which it was deleted, renamed or no longer inherited.' }),
    at: timeOutput.nullable().meta({ description: 'The time of that revision.' }),
    actor_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the user who did it; null if you cannot access the change.' }),
    renamed_to: z.string().nullable().meta({ description: 'The current name of the parameter.' }),
  })
  .meta({ id: 'ExplainedAbsence', description: 'The reason why there is no effective value.' });
export type ExplainedAbsence = z.infer<typeof ExplainedAbsence>;

export const ExplainedPush = z
  .object({
    push_id: uuidOutput.meta({ description: 'Id of the push.' }),
    push_name: z.string().meta({ description: 'Name of the push.' }),
    integration_id: uuidOutput.meta({ description: 'Id of the integration.' }),
    integration_name: z.string().meta({ description: 'Name of the integration.' }),
    provider: z.string().meta({ description: 'The provider of the integration.' }),
    tag_name: z.string().nullable().meta({ description: 'The tag whose value is pushed; null if it was deleted.' }),
    key: z.string().meta({ description: 'The key in the store.' }),
    state: KeyStateName.meta({ description: 'The state when the push last ran.' }),
    reason: KeyReasonName.meta({ description: 'Why the key has this state.' }),
    detail: z.string().nullable().meta({ description: 'The error of the last write; null if there is none.' }),
    written_at: timeOutput.nullable().meta({ description: 'When Strata last wrote the key; null if it never did.' }),
    changed_at: timeOutput.meta({ description: 'Since when it has this state.' }),
    next_attempt_at: timeOutput.nullable().meta({ description: 'When the push runs next; null if no run waits.' }),
  })
  .meta({ id: 'ExplainedPush', description: 'A key of a push that is written from the effective value.' });
export type ExplainedPush = z.infer<typeof ExplainedPush>;

const ONLY_NOW = 'Only with `name`, and not for a point in time.';

export const Explanation = z
  .object({
    name: z.string().meta({ description: 'The name that is explained.' }),
    parameter_id: uuidOutput.nullable().meta({ description: 'The parameter with this name, as the project shows it.' }),
    description: z.string().nullable().meta({ description: 'Description of the parameter.' }),
    type: z.string().nullable().meta({ description: 'Name of the type.' }),
    secret: z.boolean().nullable().meta({ description: 'Whether the parameter is secret.' }),
    owner_id: uuidOutput.nullable().meta({ description: 'The project that owns it.' }),
    owner_name: z.string().nullable().meta({ description: 'Name of the project.' }),
    ...environmentOf,
    winner: ExplainedValue.nullable().meta({ description: 'The effective value.' }),
    reason: ExplainedAbsence.nullable().meta({ description: 'The reason why there is no effective value.' }),
    next: ExplainedNext.nullable().meta({
      description:
        'The value that would become effective if that value were removed; null if there is no effective value.',
    }),
    candidates: z.array(ExplainedCandidate).nullable().meta({
      description:
        'All cells that are checked, in order of precedence: the environment in each project, then its parent. Only with `name`.',
    }),
    candidates_count: z
      .int()
      .nullable()
      .meta({
        description: `Total number of candidates; at most ${EXPLANATION_LIMITS.candidates} are listed. Only with \`name\`.`,
      }),
    made_of: z.array(ExplainedReference).nullable().meta({
      description: 'The references of a dynamic value. Only with `name`.',
    }),
    made_of_hidden: z
      .int()
      .nullable()
      .meta({ description: 'Number of further references that you cannot access. Only with `name`.' }),
    needed_by: z.array(ExplainedDependent).nullable().meta({
      description:
        'Texts that refer to the parameter. Texts that read it from a project above the one with the effective value are left out. Only with `name`.',
    }),
    needed_by_hidden: z
      .int()
      .nullable()
      .meta({ description: 'Number of texts with the reference that you cannot access. Only with `name`.' }),
    pushed_to: z
      .array(ExplainedPush)
      .nullable()
      .meta({
        description: `The keys that pushes write for the name, from the values at their tags; at most ${EXPLANATION_LIMITS.pushes}. ${ONLY_NOW}`,
      }),
    pushed_to_count: z
      .int()
      .nullable()
      .meta({ description: `Number of all keys that pushes write for the name. ${ONLY_NOW}` }),
    since: ExplainedChange.nullable().meta({
      description: 'The latest change of the effective value, for any reason. Only with `name` or `include=since`.',
    }),
    ...lastRead('this project in this environment', ONLY_NOW),
    name_last_read_at: timeOutput.nullable().meta({
      description: `When a service account last named this parameter in such a read, to the minute. ${ONLY_NOW}`,
    }),
    name_last_read_by: ReadBy.nullable().meta({ description: `The service account that did so. ${ONLY_NOW}` }),
  })
  .meta({ id: 'Explanation', description: 'Explains the effective value of one parameter in one environment.' });
export type Explanation = z.infer<typeof Explanation>;

export const ExplanationPage = pageSchema(Explanation, 'PaginatedExplanationList');
