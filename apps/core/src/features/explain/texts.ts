import { Injectable } from '@nestjs/common';
import { type EnvironmentId, Failure } from '@strata/domain';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { type Evaluated, Evaluations, NOTHING_EVALUATED, type Seen } from '../templating/evaluation.ts';
import { type EvaluationInputs, EvaluationInputsReader } from '../templating/evaluation-inputs.ts';

/** What values say in one environment. */
export interface Texts {
  /** Null for a literal value. */
  seen(valueId: string): Seen | null;
  /** Why a dynamic value cannot be evaluated. */
  problem(valueId: string): string | null;
  readonly evaluated: Evaluated;
  /** What the dynamic values are made of; null when there are none. */
  readonly inputs: EvaluationInputs | null;
}

const NO_TEXTS: Texts = { seen: () => null, problem: () => null, evaluated: NOTHING_EVALUATED, inputs: null };

/** Evaluates values so that one that cannot be evaluated spoils no other. */
@Injectable()
export class TextReader {
  constructor(
    private readonly inputs: EvaluationInputsReader,
    private readonly evaluations: Evaluations,
  ) {}

  async of(snapshot: ProjectSnapshot, values: readonly ValueRecord[], environmentId: EnvironmentId): Promise<Texts> {
    const sourceIds = values.flatMap(({ id, interpolated, text }) => (interpolated && text !== null ? [id] : []));
    if (sourceIds.length === 0) return NO_TEXTS;
    const { organizationId, permissions, revision, at } = snapshot;
    const isPresent = at === 'now';
    const inputs = await this.inputs.of({ organizationId, revision, isPresent, sourceIds, environment: environmentId });
    const evaluate = (ids: readonly string[], isRun: boolean) =>
      this.evaluations.within(
        inputs,
        ids.map((sourceId) => ({ sourceId, environmentId })),
        { organizationId, permissions, evaluate: isRun },
      );
    const seenIn = (evaluated: Evaluated, sourceId: string) => evaluated.seen({ sourceId, environmentId });
    try {
      const evaluated = await evaluate(sourceIds, true);
      return { seen: (id) => seenIn(evaluated, id), problem: () => null, evaluated, inputs };
    } catch (error) {
      if (!isEvaluationFailure(error)) throw error;
    }
    const evaluated = await evaluate(sourceIds, false);
    const seen = new Map(sourceIds.map((id) => [id, seenIn(evaluated, id)]));
    const problems = new Map<string, string>();
    for (const id of sourceIds) {
      try {
        seen.set(id, seenIn(await evaluate([id], true), id));
      } catch (error) {
        if (!isEvaluationFailure(error)) throw error;
        problems.set(id, inWords(error));
      }
    }
    return { seen: (id) => seen.get(id) ?? null, problem: (id) => problems.get(id) ?? null, evaluated, inputs };
  }
}

function isEvaluationFailure(error: unknown): error is Failure {
  return error instanceof Failure && error.kind === 'unprocessable';
}

function inWords({ problems }: Failure): string {
  return problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
}
