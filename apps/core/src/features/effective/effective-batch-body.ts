import {
  type CompleteEffectiveBatchValue,
  type EffectiveBatchError,
  type EffectiveBatchQuery,
  type EffectiveBatchResult,
  type EffectiveBatchValue,
  presentExternalSource,
} from '@strata/contract';
import {
  type EnvironmentId,
  type EnvironmentNode,
  type EvaluationProblem,
  expiryTime,
  externalSource,
  Failure,
  indexById,
  type NamedObject,
} from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import type { ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import type { VersionedSnapshot } from '../snapshot/snapshots.ts';
import type { EvaluationResults } from '../templating/evaluation.ts';
import { referenceLinks } from '../templating/reference-links.ts';
import { hashEntries } from './effective-bodies.ts';

export type BatchSnapshot = VersionedSnapshot<ViewedParameter, ValueRecord>;

/** One project in one environment, with the names that it shows there. */
export interface ProjectInEnvironment {
  readonly project: NamedObject;
  readonly environment: EnvironmentNode;
  /** Null if the caller has no access. */
  readonly shown: readonly ShownName[] | null;
}

interface ShownName {
  readonly parameter: ViewedParameter;
  readonly value: ValueRecord;
}

export type Evaluation = { readonly evaluated: EvaluationResults } | { readonly failure: Failure };

interface Presentation {
  readonly maskSecrets: boolean;
  /** The members of each value to return. Undefined returns all of them. */
  readonly include: EffectiveBatchQuery['include'];
  readonly links: Links;
  readonly textOf: (value: ValueRecord) => string | null;
}

const presentIdentity = (project: NamedObject, environment: NamedObject) => ({
  project_id: project.id,
  project_name: project.name,
  environment_id: environment.id,
  environment_name: environment.name,
});

function presentSource(value: ValueRecord) {
  const { external_fqn, external_filter, external_error } = presentExternalSource(externalSource(value));
  return { external_fqn, external_filter, external_error };
}

/** Returns a function that presents one combination at a time, all from one snapshot. */
export function createBatchPresenter(
  { environments, projects, parameters }: BatchSnapshot,
  { maskSecrets, include, links, textOf }: Presentation,
) {
  const environmentsById = indexById(environments);
  const projectsById = indexById(projects);
  const owners = new Map(parameters.map((parameter) => [parameter.id, parameter]));

  const presented = (
    value: ValueRecord,
    environmentId: EnvironmentId,
    evaluationResults: EvaluationResults,
  ): CompleteEffectiveBatchValue => {
    const owner = owners.get(value.parameterId);
    const evaluatedText = evaluationResults.evaluatedText({ sourceId: value.id, environmentId });
    // A value is also secret if the parameter that it was set on is secret, even if another parameter overrides that
    // one.
    const secret = (owner?.secret ?? false) || (evaluatedText?.secret ?? false);
    return {
      parameter_id: value.parameterId,
      value: shownText({
        isSecret: secret,
        isMasked: maskSecrets,
        isNull: (value.sealed ?? value.text) === null,
        clear: () => evaluatedText?.text ?? textOf(value),
      }),
      secret,
      interpolated: value.interpolated,
      evaluated: typeof evaluatedText?.text === 'string',
      value_id: value.id,
      ledger_id: value.ledger_id,
      source_parameter_id: value.parameterId,
      source_project_id: owner?.projectId ?? '',
      source_project_name: projectsById.get(owner?.projectId ?? '')?.name ?? '',
      source_environment_id: value.environmentId,
      source_environment_name: environmentsById.get(value.environmentId)?.name ?? '',
      created_at: value.created_at,
      modified_at: value.modified_at,
      ...presentSource(value),
      internal_value: owner?.secret ? null : value.text,
      expires_at: expiryTime(owner?.expires ?? null, value.modified_at),
      ...referenceLinks(evaluationResults.referencesOf(value.id), owner?.projectId ?? '', links),
    };
  };

  return ({ project, environment, shown }: ProjectInEnvironment, evaluation: Evaluation): EffectiveBatchResult => {
    const identity = presentIdentity(project, environment);
    const failure = shown === null ? Failure.forbidden() : 'failure' in evaluation ? evaluation.failure : null;
    if (failure || shown === null || !('evaluated' in evaluation)) {
      return { ...identity, digest: null, has_secret: false, values: null, error: failure && presentError(failure) };
    }
    const presentedValues = shown.map(({ parameter, value }) => ({
      name: parameter.name,
      cell: { ...presented(value, environment.id, evaluation.evaluated), parameter_id: parameter.id },
    }));
    return {
      ...identity,
      digest: hashEntries(presentedValues.map(({ name, cell: { value } }) => [name, value])),
      has_secret: presentedValues.some(({ cell: { secret } }) => secret),
      values: Object.fromEntries(
        presentedValues.map((presentedValue) => [presentedValue.name, narrowed(presentedValue.cell, include)]),
      ),
      error: null,
    };
  };
}

/** Returns the requested members only. */
function narrowed(value: CompleteEffectiveBatchValue, include: EffectiveBatchQuery['include']): EffectiveBatchValue {
  if (include === undefined) return value;
  return Object.fromEntries(include.map((member) => [member, value[member]]));
}

function presentError({ code, message, problems }: Failure): EffectiveBatchError {
  return {
    code,
    detail: message,
    problems: (problems as readonly EvaluationProblem[]).map(({ id, field, code: problem, message: detail }) => ({
      parameter_id: id,
      parameter_name: field,
      error_code: problem,
      error_detail: detail,
    })),
  };
}
