import { hostilePatterns } from '@strata/testkit';
import { measureThreadTime } from '../../testing/thread-time.ts';
import { PatternEngine } from './pattern-engine.ts';
import { namesProblem, patternProblem, RULE_PATTERN_LENGTH_MAX } from './patterns.ts';

const engine = new PatternEngine();
afterAll(() => engine.onModuleDestroy());

/**
 * A pattern must not block the process for more than 50 ms (`npm run bench -- --hostile`). These tests measure the
 * processor time of the main thread, which is at most 22 ms on two cores. A busy machine needs several times that, and
 * an unbounded pattern never ends.
 */
const OWN_MS_MAX = 150;
/**
 * The first run also compiles the code, and a busy machine makes every run slower, so the best of several runs counts.
 */
const TRIES = 12;

async function measureOwnTime(pattern: string, text: string): Promise<{ ownTime: number; isTaken: boolean }> {
  const checking = measureThreadTime();
  const problem = patternProblem(pattern, RULE_PATTERN_LENGTH_MAX);
  const checked = checking();
  if (problem !== null) return { ownTime: checked, isTaken: false };
  const short = text.slice(0, 2_000);
  const matching = measureThreadTime();
  const matches = await engine.matcher([{ pattern, texts: [text, short] }]);
  const results = [matches(pattern, text), matches(pattern, short)];
  const matched = matching();
  for (const result of results) expect([true, false, null]).toContain(result);
  return { ownTime: Math.max(checked, matched), isTaken: true };
}

describe('hostile patterns', () => {
  it('A16: are rejected or evaluated, and never block the main thread', async () => {
    const slow: [pattern: string, ms: number][] = [];
    const taken: string[] = [];
    const patterns = await hostilePatterns();
    for (const [pattern, text] of patterns) {
      let best = await measureOwnTime(pattern, text);
      if (best.isTaken) taken.push(pattern);
      for (let attempt = 2; best.ownTime > OWN_MS_MAX && attempt <= TRIES; attempt += 1) {
        const secondMeasurement = await measureOwnTime(pattern, text);
        if (secondMeasurement.ownTime < best.ownTime) best = secondMeasurement;
      }
      const { ownTime } = best;
      if (ownTime > OWN_MS_MAX) slow.push([pattern, ownTime]);
    }
    expect(slow).toEqual([]);
    // The table contains patterns of both kinds.
    expect(taken.length).toBeGreaterThan(60);
    expect(taken.length).toBeLessThan(patterns.length);
  });

  it('A16: are matched against the names of a whole import in about a second, while other requests run', async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `${'a'.repeat(250)}${n}`);
    let rounds = 0;
    const others = setInterval(() => {
      rounds += 1;
    }, 1);
    const problem = await namesProblem('(?:a|b|[ab]?){300}', names);
    clearInterval(others);
    expect(['too_slow', null]).toContain(problem);
    expect(rounds).toBeGreaterThan(10);
    expect(await namesProblem('a', names)).toBeNull();
    expect(await namesProblem('b', names)).toBe('mismatch');
  });
});
