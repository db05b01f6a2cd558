import { matchAnywhere, type TextTest } from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { type PatternEngine, TimeBudget } from '../../platform/patterns/pattern-engine.ts';

/** The time that patterns are matched in the main thread for one response. */
const MATCHING_MS_MAX = 2_000;

/** The remaining matching time; one for each response. */
export class PatternBudget {
  readonly slow = new TimeBudget();
  remainingMs = MATCHING_MS_MAX;

  /** Whether texts are undecided because the time was up, and not because each of them takes too long. */
  get isSpent(): boolean {
    return this.remainingMs <= 0 || this.slow.remainingMs <= 0;
  }
}

/** Searches texts for a pattern, and yields to other work in between. */
export async function patternTest(
  engine: PatternEngine,
  pattern: string,
  texts: readonly string[],
  budget: PatternBudget,
): Promise<TextTest> {
  const wrapped = matchAnywhere(pattern);
  const distinct = [...new Set(texts)];
  const matches = await engine.matcher([{ pattern: wrapped, texts: distinct }], budget.slow);
  const verdicts = new Map<string, boolean | null>();
  const yielder = new EventLoopYielder();
  for (const text of distinct) {
    const began = performance.now();
    verdicts.set(text, budget.remainingMs > 0 ? matches(wrapped, text) : null);
    budget.remainingMs -= performance.now() - began;
    if (yielder.isDue) await yielder.yield();
  }
  return (text) => verdicts.get(text) ?? null;
}
