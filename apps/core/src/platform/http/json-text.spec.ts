import fc from 'fast-check';
import { ANSWER_LENGTH_MAX, jsonParts } from './json-text.ts';

const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString();

describe('a long answer', () => {
  it('is the very text that JSON.stringify writes, however far down it is written member by member', async () => {
    const values = fc.object({ withNullPrototype: true, maxDepth: 5 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 0, max: 6 }), async (value, depth) => {
        expect(textOf(await jsonParts(value, depth))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('comes in parts, none much longer than its longest member', async () => {
    const results = Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
    const parts = await jsonParts({ count: 500, results }, 2);

    expect(JSON.parse(textOf(parts))).toEqual({ count: 500, results });
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
  });

  it('is refused, with what to do, when it is longer than an answer may be', async () => {
    const text = 'ä'.repeat(524_288);
    const results = Array.from({ length: ANSWER_LENGTH_MAX / Buffer.byteLength(text) }, () => text);

    await expect(jsonParts({ results }, 2)).rejects.toMatchObject({
      code: 'answer_too_long',
      message: expect.stringContaining('page_size'),
    });
  });
});
