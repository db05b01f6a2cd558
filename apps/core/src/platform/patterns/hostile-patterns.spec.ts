import { hostilePatterns } from '@strata/testkit';
import { ownTime } from '../../testing/own-time.ts';
import { PatternEngine } from './pattern-engine.ts';
import { namesProblem, patternProblem, RULE_PATTERN_LENGTH_MAX } from './patterns.ts';

const engine = new PatternEngine();
afterAll(() => engine.onModuleDestroy());

/**
 * The promise is that no pattern holds up the process for more than 50 ms (`npm run bench -- --hostile`). What is held against
 * it is the processor time of the main thread: 22 ms at most, measured on two cores. A machine that is busy takes several
 * times that, and a pattern that is not bounded takes for ever.
 */
const OWN_MS_MAX = 150;
/** The first time code runs it is compiled too, and a busy machine makes everything dearer: the best of some tries counts. */
const TRIES = 12;

async function ownTimeOf(pattern: string, text: string): Promise<{ own: number; isTaken: boolean }> {
  const checking = ownTime();
  const problem = patternProblem(pattern, RULE_PATTERN_LENGTH_MAX);
  const checked = checking();
  if (problem !== null) return { own: checked, isTaken: false };
  const short = text.slice(0, 2_000);
  const matching = ownTime();
  const matches = await engine.matcher([{ pattern, texts: [text, short] }]);
  const verdicts = [matches(pattern, text), matches(pattern, short)];
  const matched = matching();
  for (const verdict of verdicts) expect([true, false, null]).toContain(verdict);
  return { own: Math.max(checked, matched), isTaken: true };
}

describe('hostile patterns', () => {
  it('A16: are refused or answered, and leave the main thread free for others', async () => {
    const slow: [pattern: string, ms: number][] = [];
    const taken: string[] = [];
    const patterns = await hostilePatterns();
    for (const [pattern, text] of patterns) {
      let best = await ownTimeOf(pattern, text);
      if (best.isTaken) taken.push(pattern);
      for (let attempt = 2; best.own > OWN_MS_MAX && attempt <= TRIES; attempt += 1) {
        const again = await ownTimeOf(pattern, text);
        if (again.own < best.own) best = again;
      }
      const { own } = best;
      if (own > OWN_MS_MAX) slow.push([pattern, own]);
    }
    expect(slow).toEqual([]);
    // Both ways out are tried.
    expect(taken.length).toBeGreaterThan(60);
    expect(taken.length).toBeLessThan(patterns.length);
  }, 120_000);

  it('A16: held against the names of a whole import end within a second or so, and let others run', async () => {
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
