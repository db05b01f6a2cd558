import { Failure, stepKey, type TextInEnvironment } from '@strata/domain';
import type { EvaluatedText, EvaluationResults } from './evaluation.ts';
import { TOO_LONG_TOGETHER } from './liquid/jobs.ts';

/** The maximum number of evaluations. Texts that still exceed the limits after that count as failed. */
const ATTEMPTS_MAX = 64;

/** The result of texts that were evaluated in several parts. */
export interface SplitEvaluation {
  /** Returns `failed` for a text that exceeds the limits on its own, and null for a text that was not requested. */
  seen(text: TextInEnvironment): EvaluatedText | 'failed' | null;
}

/**
 * Evaluates texts that may exceed the limits of one response: a search processes whole projects, but shows only a few
 * of their cells. If the texts exceed the limits together, each half is evaluated separately. A text that fails on its
 * own reports its error and causes no split.
 */
export async function evaluateInParts(
  requestedTexts: readonly TextInEnvironment[],
  evaluate: (texts: readonly TextInEnvironment[]) => Promise<EvaluationResults>,
): Promise<SplitEvaluation> {
  const results = new Map<string, EvaluationResults | null>();
  const open = [requestedTexts];
  for (let attempts = 0; open.length > 0; attempts += 1) {
    const part = open.pop() ?? [];
    const evaluationResults = attempts < ATTEMPTS_MAX ? await orTooMuch(() => evaluate(part)) : null;
    if (evaluationResults === null && part.length > 1 && attempts < ATTEMPTS_MAX) {
      const middle = Math.ceil(part.length / 2);
      open.push(part.slice(middle), part.slice(0, middle));
    } else for (const text of part) results.set(stepKey(text), evaluationResults);
  }
  return {
    seen: (text) => {
      const evaluationResult = results.get(stepKey(text));
      return evaluationResult === undefined
        ? null
        : evaluationResult === null
          ? 'failed'
          : evaluationResult.evaluatedText(text);
    },
  };
}

async function orTooMuch(evaluate: () => Promise<EvaluationResults>): Promise<EvaluationResults | null> {
  try {
    return await evaluate();
  } catch (error) {
    if (error instanceof Failure && error.problems.some(isTooMuch)) return null;
    throw error;
  }
}

const isTooMuch = (problem: Failure['problems'][number]) =>
  'code' in problem && problem.code === TOO_LONG_TOGETHER.code;
