import { matchAnywhere, type TextTest } from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { type PatternEngine, TimeBudget } from '../../platform/patterns/pattern-engine.ts';

/** The time, in milliseconds, that one response may spend on matching patterns in the main thread. */
const MATCHING_MS_MAX = 2_000;

/** The remaining matching time of one response. */
export class PatternBudget {
  readonly slow = new TimeBudget();
  remainingMs = MATCHING_MS_MAX;

  /**
   * Whether texts are undecided because the time of the response is up, and not because a single text takes too long.
   */
  get isSpent(): boolean {
    return this.remainingMs <= 0 || this.slow.remainingMs <= 0;
  }
}

/** Returns a function that tests texts against a pattern. Yields to other work while it matches them. */
export async function patternTest(
  engine: PatternEngine,
  pattern: string,
  texts: readonly string[],
  budget: PatternBudget,
): Promise<TextTest> {
  const wrappedPattern = matchAnywhere(pattern);
  const distinctTexts = [...new Set(texts)];
  const matches = await engine.matcher([{ pattern: wrappedPattern, texts: distinctTexts }], budget.slow);
  const results = new Map<string, boolean | null>();
  const yielder = new EventLoopYielder();
  for (const text of distinctTexts) {
    const startedAt = performance.now();
    results.set(text, budget.remainingMs > 0 ? matches(wrappedPattern, text) : null);
    budget.remainingMs -= performance.now() - startedAt;
    if (yielder.isDue) await yielder.yield();
  }
  return (text) => results.get(text) ?? null;
}
