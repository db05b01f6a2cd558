import { anywhere, type TextTest } from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { type PatternEngine, TimeBudget } from '../../platform/patterns/pattern-engine.ts';

/** How long patterns are matched in this thread for one answer. */
const MATCHING_MS_MAX = 2_000;

/** What is left of the time for a pattern; one for each answer. */
export class PatternBudget {
  readonly slow = new TimeBudget();
  remainingMs = MATCHING_MS_MAX;

  /** Whether texts are left undecided because there was no time for them, not because each of them takes too long. */
  get isSpent(): boolean {
    return this.remainingMs <= 0 || this.slow.remainingMs <= 0;
  }
}

/** Holds a pattern against texts, anywhere in them, and lets others run in between. */
export async function patternTest(
  engine: PatternEngine,
  pattern: string,
  texts: readonly string[],
  budget: PatternBudget,
): Promise<TextTest> {
  const wrapped = anywhere(pattern);
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
