import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  createResolver,
  type EnvironmentId,
  type EnvironmentNode,
  Failure,
  indexById,
  listSubtree,
  type Problem,
  projectChain,
  type Revision,
  type Sentence,
  sentence,
  type TextInEnvironment,
  type ValueId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { recordSecretValidation } from '../../platform/limits/request-limits.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type EvaluationResults, TextEvaluator } from './evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from './evaluation-inputs.ts';
import { IgnoredLookups } from './ignored-lookups.ts';
import type { Requester } from './references.ts';

/** The evaluated text of a dynamic value in one environment where it is effective. */
export interface ActiveText {
  readonly valueId: ValueId;
  readonly environment: string;
  readonly text: string;
}

/** Options of an evaluation inside a write. */
export interface RequestQuery {
  /** Only this environment and its descendants are evaluated; undefined evaluates all environments. */
  readonly environmentId?: EnvironmentId | undefined;
  /** Applies the changes of a previewed write to the loaded inputs. */
  readonly after?: ((inputs: EvaluationInputs) => EvaluationInputs) | undefined;
  /** Called for each text that cannot be evaluated. If undefined, such a text rejects the whole write. */
  readonly onProblem?: ((valueId: ValueId, message: string) => void) | undefined;
}

/**
 * Evaluates the texts that must satisfy types and rules, inside a write or for a preview of one (behaviour.md §6.2 rule
 * 6).
 */
@Injectable()
export class ActiveTexts {
  constructor(
    private readonly inputs: EvaluationInputsReader,
    private readonly evaluations: TextEvaluator,
  ) {}

  /**
   * Returns the evaluated texts. Skips texts that the caller may not read, because a result would reveal something
   * about them. If a text cannot be evaluated, throws a list of messages. The number of statements does not depend on
   * the number of values.
   */
  async of(
    em: EntityManager,
    requester: Requester,
    valueIds: readonly ValueId[],
    { environmentId, after = (inputs) => inputs, onProblem }: RequestQuery = {},
  ): Promise<ActiveText[]> {
    if (valueIds.length === 0) return [];
    const { organizationId } = requester;
    const reader = SnapshotReader.within(em);
    const [head] = await reader.query<{ revision: Revision }>(
      'select revision from organization_head where organization_id = $1',
      [organizationId],
    );
    const revision = head?.revision ?? 0;
    const request = { organizationId, revision, isPresent: true, sourceIds: valueIds };
    const inputs = after(await this.inputs.of(request, reader));
    const activeIn = createActiveLookup(inputs);
    const environmentIds =
      environmentId === undefined ? null : new Set(listSubtree(indexById(inputs.environments), environmentId));
    const ignoredLookups = new IgnoredLookups(requester, inputs);
    const requestedTexts = valueIds.flatMap((valueId) =>
      activeIn(valueId)
        .filter(({ id }) => canOnScope(requester, 'read', id) && (environmentIds === null || environmentIds.has(id)))
        .filter(({ id }) => !ignoredLookups.decidesWhether(valueId, id))
        .map(({ id, name }) => ({ sourceId: valueId, environmentId: id, environment: name })),
    );
    const { planRecorder } = requester;
    // A plan does not evaluate secret texts at all, because a failure would reveal something about them.
    const mode = planRecorder.isDryRun ? 'open' : onProblem || planRecorder.hasPlan ? 'each' : 'all';
    if (mode !== 'open' && inputs.values.some(({ sealed }) => sealed !== null)) recordSecretValidation();
    const evaluationResults = await this.evaluations
      .within(inputs, requestedTexts, {
        organizationId,
        permissions: requester,
        evaluate: true,
        mode,
        skippedSteps: (steps) => ignoredLookups.among(steps),
      })
      .catch(inWriting);
    const describeInput = namesIn(inputs);
    for (const text of requestedTexts) {
      const evaluatedText = evaluationResults.evaluatedText(text);
      if (evaluatedText?.secret && !evaluatedText.forbidden) planRecorder.skipValidation(describeInput(text.sourceId));
    }
    const problems = problemsAmong(evaluationResults, requestedTexts);
    if (onProblem) for (const [valueId, { message }] of problems) onProblem(valueId, message);
    else if (problems.size > 0) throw Failure.list('evaluation_failed', [...problems.values()]);
    return requestedTexts.flatMap((textInEnvironment) => {
      const { text, forbidden } = evaluationResults.evaluatedText(textInEnvironment) ?? {
        text: null,
        forbidden: false,
      };
      return text !== null && !forbidden
        ? [{ valueId: textInEnvironment.sourceId, environment: textInEnvironment.environment, text }]
        : [];
    });
  }
}

/**
 * Returns a function that returns the environments in which a dynamic value is effective. It uses indexes, because it
 * may be called for all dynamic values of a type.
 */
function createActiveLookup(inputs: EvaluationInputs): (valueId: ValueId) => readonly EnvironmentNode[] {
  const values = indexById(inputs.values);
  const parameters = indexById(inputs.parameters);
  const sameNamed = Map.groupBy(inputs.parameters, ({ name }) => name);
  const valuesOf = Map.groupBy(inputs.values, ({ parameterId }) => parameterId);
  return (valueId) => {
    const value = values.get(valueId);
    const parameter = parameters.get(value?.parameterId ?? '');
    if (!parameter || !value?.interpolated) return [];
    const chain = projectChain(inputs.projects, parameter.projectId);
    const owners = (sameNamed.get(parameter.name) ?? []).filter(({ projectId }) => chain.includes(projectId));
    const parameterResolver = createResolver({
      environments: inputs.environments,
      projectChain: chain.map((id) => ({ id, name: '' })),
      parameters: owners,
      values: owners.flatMap(({ id }) => valuesOf.get(id) ?? []),
    });
    return inputs.environments.filter(({ id }) => parameterResolver.at(parameter, id)?.id === valueId);
  };
}

/** Returns a function that returns the parameter of a value, with the names for messages. */
function namesIn({ values, parameters, projects }: EvaluationInputs) {
  const [valuesById, parametersById, projectsById] = [indexById(values), indexById(parameters), indexById(projects)];
  return (valueId: ValueId) => {
    const parameter = parametersById.get(valuesById.get(valueId)?.parameterId ?? '');
    return parameter && { ...parameter, project: projectsById.get(parameter.projectId)?.name ?? '' };
  };
}

/** Returns the messages of the texts that could not be evaluated, by value. */
function problemsAmong(
  evaluationResults: EvaluationResults,
  requestedTexts: readonly TextInEnvironment[],
): ReadonlyMap<ValueId, EvaluationMessage> {
  const problems = new Map<ValueId, EvaluationMessage>();
  for (const text of requestedTexts) {
    const problem = evaluationResults.evaluatedText(text)?.problem ?? null;
    if (problem !== null) problems.set(text.sourceId, withName(problem));
  }
  return problems;
}

/**
 * Throws the errors as a list, because existing clients expect a list when a write contains a text that cannot be
 * evaluated.
 */
function inWriting(error: unknown): never {
  if (!(error instanceof Failure) || error.kind !== 'unprocessable') throw error;
  throw Failure.list('evaluation_failed', error.problems.map(withName));
}

type EvaluationMessage = Sentence<'name' | 'line' | 'column' | 'limit'>;

/** Returns the message of a text that could not be evaluated, with the name of the text. */
function withName({ field: name, message, params = {} }: Problem): EvaluationMessage {
  const text: Sentence<'line' | 'column' | 'limit'> = { message, params };
  return sentence`${{ name }}: ${text}`;
}
