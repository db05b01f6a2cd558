import type { ResolvedValue, SettableValue } from '@strata/contract';
import { asSentence, Failure, jsonPointer, type Problem, type Sentence, sentence } from '@strata/domain';
import type { NamedParameter } from './named-state.ts';

/** The action for one name, with everything that it needs. */
export interface SetStep {
  readonly name: string;
  readonly action: 'created' | 'updated' | 'unchanged' | 'touched';
  readonly text: string | null;
  /** Whether the references in the text are evaluated. */
  readonly interpolated: boolean;
  readonly secret: boolean;
  readonly type: string;
  /** The parameter of the project; null if the step creates one. */
  readonly ownParameter: NamedParameter | null;
  /** Whether the text is a copy, so that the caller may not know it. */
  readonly isCopied: boolean;
  /** Further columns of the parameter that the step creates. */
  readonly createdAs: { readonly typeId: string | null; readonly description: string } | null;
}

export interface SetOptions {
  readonly createMissing: boolean;
  readonly touch: boolean;
  /** Whether to write a secret even if its text stays the same, so that the result does not reveal that. */
  readonly alwaysWritesSecrets: boolean;
  /** Returns the stored text. Decrypts it if the parameter is secret. */
  readonly textOf: (parameter: NamedParameter) => string | null;
}

const DEFAULT_TYPE = 'string';
const SECRET_IS_LITERAL =
  'The text of a secret cannot refer to others. Omit interpolated, or refer to the secret from a parameter that is not secret.';

/**
 * Decides what to do with each name. Throws all problems at once, each with its name: 404 if all of them are missing
 * parameters, and 400 otherwise.
 */
export function setSteps(
  values: Readonly<Record<string, ResolvedValue>>,
  state: ReadonlyMap<string, NamedParameter>,
  options: SetOptions,
): readonly SetStep[] {
  const missingProblems: Problem[] = [];
  const invalidProblems: Problem[] = [];
  const dynamic: Problem[] = [];
  const steps: SetStep[] = [];
  for (const [name, settableValue] of Object.entries(values)) {
    const parameter = state.get(name) ?? null;
    if (!parameter?.isOwn && !options.createMissing) {
      missingProblems.push({ field: name, ...describeMissing(name, parameter) });
      continue;
    }
    const problem = mismatch(settableValue, parameter);
    const step = createSetStep(name, settableValue, parameter, options);
    if (problem !== null) invalidProblems.push({ field: name, ...asSentence(problem) });
    else if (step.secret && step.interpolated) dynamic.push({ field: name, message: SECRET_IS_LITERAL });
    else steps.push(step);
  }
  if (invalidProblems.length > 0)
    throw Failure.fields('parameter_mismatch', [...missingProblems, ...invalidProblems, ...dynamic]);
  if (dynamic.length > 0) throw Failure.fields('secret_is_literal', [...missingProblems, ...dynamic]);
  if (missingProblems.length > 0) throw missingNamesError(missingProblems);
  return steps;
}

/**
 * Returns the names whose value is not the expected one: `if_match` expects a version, and `if_none_match` expects that
 * there is no value. `before` contains the versions before the write, by value id.
 */
export function findUnexpectedNames(
  values: Readonly<Record<string, SettableValue>>,
  state: ReadonlyMap<string, NamedParameter>,
  before: ReadonlyMap<string, string>,
): readonly string[] {
  return Object.entries(values).flatMap(([name, { if_match: expected, if_none_match: none }]) => {
    const currentText = before.get(state.get(name)?.value?.id ?? '');
    return (none !== undefined && currentText !== undefined) || (expected !== undefined && currentText !== expected)
      ? [name]
      : [];
  });
}

/** Returns the 404 error with one problem per name. */
export function missingNamesError(problems: readonly Problem[]): Failure {
  const message = problems.map((problem) => problem.message).join(' ');
  return new Failure({ kind: 'not_found', code: 'unknown_parameter', message, shape: 'fields', problems });
}

export function unknownNameProblem(name: string): Problem {
  return { field: name, ...sentence`There is no parameter ${{ name }} in this project.` };
}

function describeMissing(name: string, parameter: NamedParameter | null): Sentence {
  return parameter
    ? sentence`${{ name }} is inherited. Set create_missing to override it, or change it in the project that owns it.`
    : sentence`There is no parameter ${{ name }} in this project. Create it, or set create_missing.`;
}

function mismatch({ secret, type, from }: ResolvedValue, parameter: NamedParameter | null): string | Sentence | null {
  if (parameter === null) return null;
  if (from !== undefined && secret !== parameter.secret) {
    return 'One of the two parameters is secret and the other is not: its text cannot be copied.';
  }
  if (secret !== undefined && secret !== parameter.secret) {
    return parameter.secret
      ? 'The parameter is secret. Omit secret, or set it to true.'
      : 'The parameter is not secret. Omit secret, or set it to false.';
  }
  return type === undefined || type === parameter.type
    ? null
    : sentence`Its type is ${{ type: parameter.type }}. Omit type, or change the parameter.`;
}

function createSetStep(
  name: string,
  resolvedValue: ResolvedValue,
  parameter: NamedParameter | null,
  { touch, alwaysWritesSecrets, textOf }: SetOptions,
): SetStep {
  const {
    value: text,
    secret = parameter?.secret ?? false,
    type = parameter?.type ?? DEFAULT_TYPE,
    description = '',
  } = resolvedValue;
  const isInterpolated = resolvedValue.interpolated === true && text !== null;
  const commonMembers = {
    name,
    text,
    interpolated: isInterpolated,
    secret,
    type,
    isCopied: resolvedValue.from !== undefined,
  };
  if (!parameter?.isOwn) {
    return {
      ...commonMembers,
      action: 'created',
      ownParameter: null,
      createdAs: { typeId: parameter?.typeId ?? null, description },
    };
  }
  if (parameter.value === null)
    return { ...commonMembers, action: 'created', ownParameter: parameter, createdAs: null };
  const isCompared = !(alwaysWritesSecrets && parameter.secret && text !== null);
  const isSame = isCompared && parameter.value.interpolated === isInterpolated && textOf(parameter) === text;
  return {
    ...commonMembers,
    action: isSame ? (touch ? 'touched' : 'unchanged') : 'updated',
    ownParameter: parameter,
    createdAs: null,
  };
}

/** Fields of errors that are about several of the values, or about texts that depend on them. */
const ABOUT_SEVERAL: ReadonlySet<string> = new Set(['name', 'internal_value']);

/**
 * Runs a part of setting values. Errors of a value get the pointer to it in the map of the request, other errors of
 * values the pointer to the map.
 */
export const locateValues = <Result>(values: object, run: () => Promise<Result>): Promise<Result> =>
  locateProblems(run, (field) => {
    if (Object.hasOwn(values, field)) return jsonPointer(['values', field]);
    return ABOUT_SEVERAL.has(field) ? '/values' : undefined;
  });

/** Runs a part of an operation. Its errors get the pointers that the function returns for their fields. */
export async function locateProblems<Result>(
  run: () => Promise<Result>,
  locateField: (field: string) => string | undefined,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Failure ? error.locate(({ field }) => locateField(field)) : error;
  }
}
