import type { EvaluationProblem, EvaluationStep } from '@strata/domain';

/** The results of running texts, by the keys of their steps. */
export interface TextRun {
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, EvaluationProblem>;
}

export const EMPTY_RUN: TextRun = { texts: new Map(), problems: new Map() };

export function secretSteps(steps: ReadonlyMap<string, EvaluationStep>): readonly string[] {
  return [...steps.values()].filter(({ secret }) => secret).map(({ key }) => key);
}

/** Removes the results of texts that need a failed text; they fail for its reason. */
export function withoutDependentsOfFailed(
  steps: readonly EvaluationStep[],
  problems: Map<string, EvaluationProblem>,
): readonly EvaluationStep[] {
  if (problems.size === 0) return steps;
  return steps.filter(({ key, inputs }) => {
    const spoiling = inputs.flatMap(({ from }) => (from === null ? [] : (problems.get(from) ?? [])))[0];
    if (spoiling) problems.set(key, spoiling);
    return spoiling === undefined;
  });
}

/** Returns one problem per text, in whatever environments it failed. */
export function problemPerSource(
  steps: readonly EvaluationStep[],
  problems: ReadonlyMap<string, EvaluationProblem>,
): readonly EvaluationProblem[] {
  const bySource = new Map<string, EvaluationProblem>();
  for (const { key, sourceId } of steps) {
    const problem = problems.get(key);
    if (problem) bySource.set(sourceId, problem);
  }
  return [...bySource.values()];
}
