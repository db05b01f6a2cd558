import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { ANSWER_LENGTH_MAX } from '../limits/answer-limits.ts';
import { etagOf } from './conditional.ts';
import { type JsonText, jsonText, LazyList } from './json-text.ts';

const partsOf = async (text: JsonText) => {
  const parts: Buffer[] = [];
  for await (const part of text.parts()) parts.push(part);
  return parts;
};
const textOf = async (text: JsonText) => Buffer.concat(await partsOf(text)).toString();

const CONTEXT = { key: createSecretKey(Buffer.alloc(32)), origin: 'https://strata.example' };

describe('a long answer', () => {
  it('is the very text that JSON.stringify writes, however far down it is written member by member', async () => {
    const values = fc.object({ withNullPrototype: true, maxDepth: 5 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 0, max: 6 }), async (value, depth) => {
        expect(await textOf(await jsonText(value, depth, CONTEXT))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('comes in parts, none much longer than its longest member', async () => {
    const results = Array.from({ length: 3_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
    const text = await jsonText({ count: 3_000, results }, 2, CONTEXT);
    const parts = await partsOf(text);

    expect(text.bytes).toBeNull();
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ count: 3_000, results });
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
  });

  it('has the length and the tag of the whole text before it is sent, be it long or short', async () => {
    for (const count of [3, 3_000]) {
      const results = Array.from({ length: count }, (_, n) => ({ n, text: 'ä'.repeat(500) }));
      const whole = Buffer.from(JSON.stringify({ results }));
      const text = await jsonText({ results }, 2, CONTEXT);

      expect([text.length, text.etag]).toEqual([whole.length, etagOf(whole, CONTEXT)]);
      expect(text.bytes?.toString() ?? null).toBe(count === 3 ? whole.toString() : null);
    }
  });

  it('makes the members of a list one by one, when they are written', async () => {
    const made: number[] = [];
    const make = (n: number) => {
      made.push(n);
      return { n, text: 'x'.repeat(100_000) };
    };
    const text = await jsonText(
      {
        results: new LazyList(
          Array.from({ length: 20 }, (_, n) => n),
          make,
        ),
      },
      2,
      CONTEXT,
    );
    const before = made.length;
    const parts = text.parts();
    await parts.next();

    expect(before).toBe(20);
    // a client that does not read on makes nobody write on
    expect(made.length).toBeLessThan(23);
    await parts.return();
  });

  it('is refused, with what to do, when it is longer than an answer may be', async () => {
    const text = 'ä'.repeat(524_288);
    const results = Array.from({ length: ANSWER_LENGTH_MAX / Buffer.byteLength(text) }, () => text);

    await expect(jsonText({ results }, 2, CONTEXT)).rejects.toMatchObject({
      code: 'answer_too_long',
      message: expect.stringContaining('page_size'),
    });
  });
});
