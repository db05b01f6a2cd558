import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EvaluationProblem } from '@strata/domain';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import {
  type EvaluatedText,
  type EvaluationResults,
  NOTHING_EVALUATED,
  TextEvaluator,
} from '../templating/evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from '../templating/evaluation-inputs.ts';

/** The evaluated values of one environment. */
export interface EvaluatedValues {
  /** Returns null for a literal value. */
  evaluatedText(valueId: string): EvaluatedText | null;
  /** Returns the reason why a dynamic value cannot be evaluated, or null. */
  problem(valueId: string): string | null;
  readonly evaluated: EvaluationResults;
  /** The inputs of the dynamic values; null if there are none. */
  readonly inputs: EvaluationInputs | null;
}

const NO_TEXTS: EvaluatedValues = {
  evaluatedText: () => null,
  problem: () => null,
  evaluated: NOTHING_EVALUATED,
  inputs: null,
};

/** Evaluates values. If one fails, the others are still evaluated. */
@Injectable()
export class TextReader {
  constructor(
    private readonly inputs: EvaluationInputsReader,
    private readonly evaluations: TextEvaluator,
  ) {}

  async of(
    snapshot: ProjectSnapshot,
    values: readonly ValueRecord[],
    environmentId: EnvironmentId,
  ): Promise<EvaluatedValues> {
    const sourceIds = values.flatMap(({ id, interpolated, text }) => (interpolated && text !== null ? [id] : []));
    if (sourceIds.length === 0) return NO_TEXTS;
    const { organizationId, permissions, revision, at } = snapshot;
    const isPresent = at === 'now';
    const inputs = await this.inputs.of({ organizationId, revision, isPresent, sourceIds, environment: environmentId });
    const evaluationResults = await this.evaluations.within(
      inputs,
      sourceIds.map((sourceId) => ({ sourceId, environmentId })),
      { organizationId, permissions, evaluate: true, mode: 'each' },
    );
    const evaluatedText = (sourceId: string) => evaluationResults.evaluatedText({ sourceId, environmentId });
    const problem = (sourceId: string) => describeProblem(evaluatedText(sourceId)?.problem ?? null);
    return { evaluatedText, problem, evaluated: evaluationResults, inputs };
  }
}

function describeProblem(problem: EvaluationProblem | null): string | null {
  return problem && `${problem.field}: ${problem.message}`;
}
