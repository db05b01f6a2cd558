import { Failure, stepKey, type TextInEnvironment } from '@strata/domain';
import type { Evaluated, Seen } from '../templating/evaluation.ts';

/** How often texts are evaluated anew to find those that fail; what is not found out by then counts as failed. */
const ATTEMPTS_MAX = 64;

/** What came of texts that were evaluated. */
export interface EvaluatedApart {
  /** `failed` for one that cannot be evaluated; null for one that was not asked about. */
  seen(text: TextInEnvironment): Seen | 'failed' | null;
}

/** Evaluates texts so that one that fails spoils no other: those that fail together are tried in halves. */
export async function evaluatedApart(
  wanted: readonly TextInEnvironment[],
  evaluate: (some: readonly TextInEnvironment[]) => Promise<Evaluated>,
): Promise<EvaluatedApart> {
  const found = new Map<string, Evaluated | null>();
  const open = [wanted];
  for (let attempts = 0; open.length > 0; attempts += 1) {
    const some = open.pop() ?? [];
    const evaluated = attempts < ATTEMPTS_MAX ? await orNull(() => evaluate(some)) : null;
    if (evaluated === null && some.length > 1 && attempts < ATTEMPTS_MAX) {
      const middle = Math.ceil(some.length / 2);
      open.push(some.slice(middle), some.slice(0, middle));
    } else for (const text of some) found.set(stepKey(text), evaluated);
  }
  return {
    seen: (text) => {
      const evaluated = found.get(stepKey(text));
      return evaluated === undefined ? null : evaluated === null ? 'failed' : evaluated.seen(text);
    },
  };
}

async function orNull(evaluate: () => Promise<Evaluated>): Promise<Evaluated | null> {
  try {
    return await evaluate();
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unprocessable') return null;
    throw error;
  }
}
