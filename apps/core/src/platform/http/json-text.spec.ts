import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { ANSWER_LENGTH_MAX } from '../limits/response-limits.ts';
import { computeEtag } from './conditional-requests.ts';
import { type JsonText, jsonText, LazyList } from './json-text.ts';

const collectParts = async (text: JsonText) => {
  const parts: Buffer[] = [];
  for await (const part of text.parts()) parts.push(part);
  return parts;
};
const collectText = async (text: JsonText) => Buffer.concat(await collectParts(text)).toString();

const CONTEXT = { key: createSecretKey(Buffer.alloc(32)), origin: 'https://strata.example' };

describe('jsonText', () => {
  it('writes exactly the text of JSON.stringify, at any depth', async () => {
    const values = fc.object({ withNullPrototype: true, maxDepth: 5 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 0, max: 6 }), async (value, depth) => {
        expect(await collectText(await jsonText(value, depth, CONTEXT))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('splits the text into parts that are not much longer than the longest member', async () => {
    const results = Array.from({ length: 3_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
    const text = await jsonText({ count: 3_000, results }, 2, CONTEXT);
    const parts = await collectParts(text);

    expect(text.bytes).toBeNull();
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ count: 3_000, results });
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
  });

  it('computes length and tag of the whole text before any part is sent', async () => {
    for (const count of [3, 3_000]) {
      const results = Array.from({ length: count }, (_, n) => ({ n, text: 'ä'.repeat(500) }));
      const whole = Buffer.from(JSON.stringify({ results }));
      const text = await jsonText({ results }, 2, CONTEXT);

      expect([text.length, text.etag]).toEqual([whole.length, computeEtag(whole, CONTEXT)]);
      expect(text.bytes?.toString() ?? null).toBe(count === 3 ? whole.toString() : null);
    }
  });

  it('creates the members of a list one by one, while they are written', async () => {
    const serialized: number[] = [];
    const make = (n: number) => {
      serialized.push(n);
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
    const before = serialized.length;
    const parts = text.parts();
    await parts.next();

    expect(before).toBe(20);
    // no more members are created while the client does not read
    expect(serialized.length).toBeLessThan(23);
    await parts.return();
  });

  it('throws answer_too_long, with advice, if the text exceeds the limit of a response', async () => {
    const text = 'ä'.repeat(524_288);
    const results = Array.from({ length: ANSWER_LENGTH_MAX / Buffer.byteLength(text) }, () => text);

    await expect(jsonText({ results }, 2, CONTEXT)).rejects.toMatchObject({
      code: 'answer_too_long',
      message: expect.stringContaining('page_size'),
    });
  });
});
