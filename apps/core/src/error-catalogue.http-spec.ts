import { type RunningCore, sharedCore } from '@strata/testkit';
import { Arrangement, type Shape, type Situation, type Situations } from './testing/situation.ts';
import { PLACES } from './testing/situations-of-places.ts';
import { TEXTS } from './testing/situations-of-texts.ts';
import { VALUES } from './testing/situations-of-values.ts';

/**
 * Every code of errors.md. What behaviour.md says of content that is binary, too large or does not fit its filter
 * cannot happen here, because nobody has such content: ADR 0015.
 */
const CODES = [
  ...['E1', 'E2', 'E10', 'E11', 'E13', 'E14', 'E20', 'E21', 'E22', 'E30', 'E31', 'E32', 'E33', 'E34', 'E40', 'E41a'],
  ...['E41b', 'E42a', 'E42b', 'E43', 'E44', 'E45', 'E46', 'E47', 'E48', 'E49', 'E50', 'E51', 'E51b', 'E52', 'E53'],
  ...['E60', 'E61', 'E62', 'E70', 'E71', 'E72', 'E80a', 'E80b', 'E90', 'E95', 'E96', 'E97', 'E98'],
];

/** In the order of the codes: who gets into it is answered with that status and that shape. */
const SITUATIONS: Situations = { ...PLACES, ...VALUES, ...TEXTS };

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

function messagesOf(body: unknown, shape: Shape): unknown {
  if (shape === 'array') return body;
  if (shape === 'detail') return [(body as { detail?: unknown }).detail];
  return (body as Record<string, unknown>)[shape.field];
}

describe('every refusal of the catalogue', () => {
  it('has its situation here', () => {
    const shown = Object.keys(SITUATIONS).map((name) => name.replace(/,.*/, ''));
    expect([...new Set(shown)]).toEqual(CODES);
  });

  it.each(Object.entries(SITUATIONS).map(([code, [what]]) => [code, what]))('%s: %s', async (code) => {
    const [, situation, status, shape, ...words] = SITUATIONS[code] as Situation;
    const reply = await situation(new Arrangement(core, await core.organization()));

    expect([code, [status].flat()]).toEqual([code, expect.arrayContaining([reply.status])]);
    const messages = messagesOf(reply.body, shape);
    expect([code, reply.text, messages]).toEqual([code, reply.text, expect.any(Array)]);
    for (const message of messages as unknown[]) {
      expect([code, message]).toEqual([code, expect.stringMatching(/\S{2,}.*[.!`']?$/s)]);
    }
    for (const word of words)
      expect([code, (messages as string[]).join(' ')]).toEqual([code, expect.stringContaining(word)]);
    expect(reply.headers['x-error-code']).toMatch(/^[a-z_]+$/);
  });
});
