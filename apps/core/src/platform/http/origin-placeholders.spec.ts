import fc from 'fast-check';
import { PLACEHOLDER_ORIGIN, replacePlaceholders, withOrigin } from './origin-placeholders.ts';

const ORIGIN = fc.constantFrom('http://a', 'https://strata.example:8443', 'http://[::1]:3000', 'http://ä');
const TEXT = fc.string({ unit: 'grapheme', maxLength: 20 });

it('links in a body get the origin of the request, and all other text is unchanged', () => {
  fc.assert(
    fc.property(fc.array(TEXT, { minLength: 1 }), fc.array(ORIGIN, { minLength: 1 }), (texts, origins) => {
      const marked = Buffer.from(texts.join(PLACEHOLDER_ORIGIN));
      let body = replacePlaceholders(marked, origins[0] ?? '');
      for (const origin of origins) {
        body = withOrigin(body, origin);
        expect(body.bytes.toString()).toBe(texts.join(origin));
      }
    }),
  );
});
