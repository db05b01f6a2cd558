import type { TextScope } from '@strata/domain';
import { hostileTexts } from '@strata/testkit';
import { ownTime } from '../../../testing/own-time.ts';
import { Language, OUTPUT_LENGTH_MAX } from './language.ts';

// What takes that long has long shown how it treats the main thread; the times of production are e2e's (hostile-input).
const language = new Language({ soft: 100, hard: 200 });
afterAll(() => language.onApplicationShutdown());

const LONG = 'x'.repeat(65_000);
const SCOPE: TextScope = {
  project: 'web',
  environment: 'production',
  self: 't',
  parameters: new Map([
    ['host', 'h'],
    ['long', LONG],
    ['wide', 'ж'.repeat(65_000)],
  ]),
  templates: new Map([['other', LONG]]),
  projects: new Map(),
};

/**
 * The promise is that no text holds up the process for more than 50 ms (`npm run bench -- --hostile`). What is held against it
 * is the processor time of the main thread for a text from the question to the answer, all its parts together. Measured on
 * two cores: 25 ms at most (26,000 plain outputs), under 9 ms for all but two. A machine that is busy takes several times
 * that, and a text that is not bounded takes for ever.
 */
const OWN_MS_MAX = 150;
/** The first time code runs it is compiled too, and a busy machine makes everything dearer: the best of some tries counts. */
const TRIES = 12;

async function ownTimeOf(what: string, text: string): Promise<number> {
  const rendering = ownTime();
  const [result] = await language.render(what, [{ text, scope: SCOPE }]);
  const rendered = rendering();
  const parsing = ownTime();
  const paths = await language.pathsIn(what, text);
  const parsed = parsing();
  expect([what, result === undefined ? 'nothing' : 'an answer']).toEqual([what, 'an answer']);
  if (typeof result === 'string') expect(result.length).toBeLessThanOrEqual(OUTPUT_LENGTH_MAX);
  if ('problem' in paths) expect([what, paths.code]).toEqual([what, expect.stringMatching(/^(syntax|too_costly)$/)]);
  return Math.max(rendered, parsed);
}

describe('hostile texts', () => {
  it('A17: end with an answer and leave the main thread free for others', async () => {
    const slow: [what: string, ms: number][] = [];
    for (const [what, text] of await hostileTexts()) {
      let own = Number.POSITIVE_INFINITY;
      for (let attempt = 1; own > OWN_MS_MAX && attempt <= TRIES; attempt += 1) {
        own = Math.min(own, await ownTimeOf(`${what}, ${attempt}`, text));
      }
      if (own > OWN_MS_MAX) slow.push([what, own]);
    }
    expect(slow).toEqual([]);
  }, 300_000);
});
