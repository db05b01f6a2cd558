import { Failure, stepKey, type TextInEnvironment } from '@strata/domain';
import type { EvaluatedText, EvaluationResults } from './evaluation.ts';
import { TOO_LONG_TOGETHER } from './liquid/jobs.ts';

/** How often texts are split into halves; texts that are too much even then count as failed. */
const ATTEMPTS_MAX = 64;

/** The result of texts that were evaluated in parts. */
export interface SplitEvaluation {
  /** `failed` for a text that exceeds the limits by itself; null for a text that was not requested. */
  seen(text: TextInEnvironment): EvaluatedText | 'failed' | null;
}

/**
 * Evaluates texts that may be too many for one response: a search passes through whole projects, and shows a few cells
 * of them. Texts that exceed the limits together are evaluated in halves. A single failing text reports its own error
 * and causes no split.
 */
export async function evaluateInParts(
  requested: readonly TextInEnvironment[],
  evaluate: (some: readonly TextInEnvironment[]) => Promise<EvaluationResults>,
): Promise<SplitEvaluation> {
  const found = new Map<string, EvaluationResults | null>();
  const open = [requested];
  for (let attempts = 0; open.length > 0; attempts += 1) {
    const some = open.pop() ?? [];
    const evaluated = attempts < ATTEMPTS_MAX ? await orTooMuch(() => evaluate(some)) : null;
    if (evaluated === null && some.length > 1 && attempts < ATTEMPTS_MAX) {
      const middle = Math.ceil(some.length / 2);
      open.push(some.slice(middle), some.slice(0, middle));
    } else for (const text of some) found.set(stepKey(text), evaluated);
  }
  return {
    seen: (text) => {
      const evaluated = found.get(stepKey(text));
      return evaluated === undefined ? null : evaluated === null ? 'failed' : evaluated.evaluatedText(text);
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
