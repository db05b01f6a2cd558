import type { EvaluationProblem, EvaluationStep } from '@strata/domain';

/** The results of evaluated texts, by the key of their step. */
export interface TextRun {
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, EvaluationProblem>;
}

export const EMPTY_RUN: TextRun = { texts: new Map(), problems: new Map() };

export function secretSteps(steps: ReadonlyMap<string, EvaluationStep>): readonly string[] {
  return [...steps.values()].filter(({ secret }) => secret).map(({ key }) => key);
}

/** Removes the steps whose texts depend on a failed text. They fail for the same reason. */
export function withoutDependentsOfFailed(
  steps: readonly EvaluationStep[],
  problems: Map<string, EvaluationProblem>,
): readonly EvaluationStep[] {
  if (problems.size === 0) return steps;
  return steps.filter(({ key, inputs }) => {
    const cause = inputs.flatMap(({ from }) => (from === null ? [] : (problems.get(from) ?? [])))[0];
    if (cause) problems.set(key, cause);
    return cause === undefined;
  });
}

/** Returns one problem per text, even if it failed in several environments. */
export function listProblemsBySource(
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
