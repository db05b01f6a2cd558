import { measureThreadTime } from '../../testing/thread-time.ts';
import { expensiveTasks, MAIN_THREAD_COST_MAX, PatternEngine } from './pattern-engine.ts';
import { matchingCost, patternProblem, RULE_PATTERN_LENGTH_MAX } from './patterns.ts';

const engine = new PatternEngine();
afterAll(() => engine.onModuleDestroy());

/** Contains no repetition that the engine could cache. */
const noise = Array.from({ length: 65_536 }, (_, n) => ((n * 2_654_435_761) % 97 < 48 ? 'a' : 'b')).join('');

describe('the pattern engine', () => {
  it('matches from the start of the text', async () => {
    const tasks = [{ pattern: 'FOO_', texts: ['FOO_BAR', 'BAR_FOO_'] }];
    const matches = await engine.matcher(tasks);
    expect([matches('FOO_', 'FOO_BAR'), matches('FOO_', 'BAR_FOO_')]).toEqual([true, false]);
  });

  it('evaluates expensive patterns in another thread, and reports a timeout', async () => {
    const [long, hostile] = ['(?:[a-c]|é)*', '(?:.*a){300}c'];
    const shorter = noise.slice(0, 60_000);
    const tasks = [
      { pattern: long, texts: ['é'.repeat(65_536).concat('x'.repeat(65_536)), 'b'] },
      { pattern: hostile, texts: [noise, shorter, 'c'] },
    ];

    const matches = await engine.matcher(tasks);

    expect(tasks[0]?.texts.map((text) => matches(long, text))).toEqual([true, true]);
    expect(tasks[1]?.texts.map((text) => matches(hostile, text))).toEqual([null, null, false]);
    const secondMatcher = await engine.matcher(tasks.slice(0, 1));
    expect(secondMatcher(long, tasks[0]?.texts[0] ?? '')).toBe(true);
  });

  it('adds the costs of all patterns of one text, so splitting a pattern does not avoid the limit', () => {
    const text = noise.slice(0, 30_000);
    const tasks = Array.from({ length: 12 }, (_, n) => ({ pattern: `(?:.*a){${20 + n}}c`, texts: [text, 'short'] }));

    const expensive = expensiveTasks(tasks);

    const otherPatterns = new Set(expensive.map(({ pattern }) => pattern));
    const here = tasks.filter(({ pattern }) => !otherPatterns.has(pattern));
    expect(here.length).toBe(1);
    expect(here.reduce((sum, { pattern }) => sum + matchingCost(pattern, text), 0)).toBeLessThanOrEqual(
      MAIN_THREAD_COST_MAX,
    );
    expect(expensive.every(({ texts }) => texts.length === 1 && texts[0] === text)).toBe(true);
  });

  it('lets other requests run between the patterns of one request, however many it compiles', async () => {
    const tasks = Array.from({ length: 60 }, (_, n) => ({
      pattern: `(?i)[${'\\pL'.repeat(80)}]{${n + 1}}x`,
      texts: ['a'],
    }));
    let [rounds, longest] = [0, 0];
    let isDone = false;
    const others = async () => {
      while (!isDone) {
        const measureOwn = measureThreadTime();
        await new Promise((resolve) => setImmediate(resolve));
        longest = Math.max(longest, measureOwn());
        rounds += 1;
      }
    };
    const watching = others();
    await engine.matcher(tasks);
    isDone = true;
    await watching;
    expect(rounds).toBeGreaterThan(10);
    // The limit applies to the processor time of the main thread. One pattern takes some 24 ms, and several times that
    // on a busy machine. All of them without a break would take more than a second.
    expect(longest).toBeLessThan(300);
  });
});

describe('patternProblem', () => {
  it.each(['', 'a', '[a-z]{1,253}', '(?i)[a-z0-9]+(-[a-z0-9]+)*$', '(?P<name>x)', '\\d{4}-\\d{2}'])(
    'accepts %j',
    (pattern) => {
      expect(patternProblem(pattern, RULE_PATTERN_LENGTH_MAX)).toBeNull();
    },
  );

  it('counts characters, not bytes', () => {
    expect(patternProblem('🎉'.repeat(256), 256)).toBeNull();
    expect(patternProblem('🎉'.repeat(257), 256)?.params).toEqual({ limit: 256 });
  });

  it.each([
    ['(', 'RE2'],
    ['(?=a)b', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['\\pL{1,200}'.repeat(20), 'too large'],
    ['((a{10}){10}){10}'.repeat(20), 'too large'],
    ['(((a{0,1000})?)*){0,1}'.repeat(20), 'too large'],
    ['(((a{100}){100}){100})', 'too large'],
    ['a'.repeat(513), '512'],
  ])('rejects %j with a reason', (pattern, why) => {
    expect(patternProblem(pattern, RULE_PATTERN_LENGTH_MAX)?.message).toContain(why);
  });
});
