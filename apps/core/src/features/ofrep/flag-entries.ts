import type { FlagEvaluation } from '@strata/contract';
import { type EvaluationProblem, indexById, parseFlagValue } from '@strata/domain';
import type { ProjectView } from '../snapshot/effective-cache.ts';
import type { TextRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import type { EvaluationResults } from '../templating/evaluation.ts';
import type { BaseTypes } from './flag-lookups.ts';

/** A visible parameter that may be a flag, and its effective value. */
export interface FlagCandidate {
  readonly parameter: ViewedParameter;
  /** The parameter that the value is set on. */
  readonly owner: ViewedParameter;
  readonly value: TextRecord | null;
}

/**
 * Returns the parameters that are not secret. A parameter is also no flag if its value is set on a secret parameter
 * that it overrides.
 */
export function listFlagCandidates({ view: { visible, effective } }: ProjectView): readonly FlagCandidate[] {
  return visible.flatMap(({ parameter, owners }, index) => {
    const value = effective[index] ?? null;
    const owner = owners.find(({ id }) => id === value?.parameterId) ?? parameter;
    return parameter.secret || owner.secret || value?.sealed != null ? [] : [{ parameter, owner, value }];
  });
}

/**
 * Returns a function that presents a candidate as a flag. It returns null if the value depends on a secret, or on a
 * project that the caller has no access to.
 */
export function createFlagPresenter(
  { environment, environments, projectChain }: ProjectView,
  bases: BaseTypes,
  evaluationResults: EvaluationResults,
): (candidate: FlagCandidate) => FlagEvaluation | null {
  const [environmentsById, projectsById] = [indexById(environments), indexById(projectChain)];
  return ({ parameter, owner, value }) => {
    const key = parameter.name;
    const evaluatedText =
      value && evaluationResults.evaluatedText({ sourceId: value.id, environmentId: environment.id });
    if (evaluatedText?.secret) return null;
    // an explicit null has no text
    if (value === null || value.text === null) {
      return { key, reason: 'DEFAULT', metadata: { parameter_id: parameter.id } };
    }
    const source = environmentsById.get(value.environmentId)?.name ?? '';
    const metadata = {
      parameter_id: parameter.id,
      dynamic: value.interpolated,
      source_project_name: projectsById.get(owner.projectId)?.name ?? '',
      source_environment_name: source,
    };
    const flagValue =
      evaluatedText && evaluatedText.text === null
        ? flagError(evaluatedText.problem)
        : typedValue(bases, parameter, evaluatedText?.text ?? value.text);
    if ('errorCode' in flagValue) return { key, ...flagValue, metadata };
    return { key, value: flagValue.value, reason: 'STATIC', variant: source, metadata };
  };
}

type FlagError = Required<Pick<FlagEvaluation, 'errorCode' | 'errorDetails'>>;

function flagError(problem: EvaluationProblem | null): FlagError {
  return { errorCode: 'GENERAL', errorDetails: problem?.message ?? 'The value cannot be evaluated.' };
}

function typedValue(bases: BaseTypes, { type_id: type }: ViewedParameter, text: string) {
  const base = bases.get(type) ?? 'string';
  const flagValue = parseFlagValue(base, text);
  if (typeof flagValue === 'object') return flagValue;
  const errorDetails =
    flagValue === 'not_of_type'
      ? `The evaluated text is not of type ${base}.`
      : 'The integer is too large: JSON numbers are exact only up to 9007199254740991.';
  return { errorCode: 'PARSE_ERROR', errorDetails } satisfies FlagError;
}
